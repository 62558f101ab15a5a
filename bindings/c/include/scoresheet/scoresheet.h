/* Scoresheet: chess databases of many formats for C and C++.
 *
 * Made by `cargo xtask c --write` from the sources in bindings/c/src. Do not edit.
 * Licensed under MIT OR Apache-2.0.
 *
 * Rules
 *
 * Handles. A type without fields is a handle. `..._new`, `..._open`, `..._create` and other functions with an
 * out parameter for a handle make it; the caller frees it with the `..._free` of its type, exactly once. A handle
 * passed to a function is NULL or was made by this library and not freed. A wrong pointer is undefined
 * behaviour, as everywhere in C. NULL is always an error code or an empty result, never a crash.
 *
 * Texts. Texts are UTF-8. A text that is passed in ends with a zero byte, and is copied. Paths are passed on
 * to the system: their bytes as they are on Unix, UTF-8 elsewhere. A ScoresheetText that comes out
 * belongs to the handle it came from. It ends with a zero byte, and `length` counts the bytes before it.
 *
 * Results. A function that can fail returns a ScoresheetStatus. `error` may be NULL; otherwise `*error` becomes NULL, or
 * an error that the caller frees with scoresheet_error_free. Other out parameters must not be NULL, except
 * where the function says so. Parameters of one call must not overlap each other.
 *
 * Numbers. Games, half-moves, bytes and lines count from 0. Messages count games, half-moves and lines from 1.
 *
 * Threads. Functions with different handles may run at the same time. One ScoresheetBase may be used by
 * several threads at the same time, as may a ScoresheetFilter, ScoresheetOptions, ScoresheetSelection, ScoresheetReport or
 * ScoresheetError that no thread changes or frees. A ScoresheetReader, ScoresheetGame or ScoresheetOutput is used by one
 * thread at a time. The library keeps no state of its own between calls.
 *
 * Callbacks. They run on the thread of the call. They may use other handles and the base of the call. They
 * must not throw or jump out.
 */

#ifndef SCORESHEET_H
#define SCORESHEET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The binary interface that this header describes; compare it with scoresheet_abi_version(). */
#define SCORESHEET_ABI_VERSION 1

/* A number that is not known. */
#define SCORESHEET_NONE UINT64_MAX

/* Arrow's structures, as its specification declares them for copying. */
#ifdef __cplusplus
extern "C" {
#endif

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
    const char *format;
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};

#endif // ARROW_C_DATA_INTERFACE

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};

#endif // ARROW_C_STREAM_INTERFACE

#ifdef __cplusplus
}
#endif

// The result of a call.
enum ScoresheetStatus
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // The call did what it says.
    SCORESHEET_STATUS_OK = 0,
    // A callback asked to stop.
    SCORESHEET_STATUS_CANCELLED = 1,
    // A game or a part of the base is damaged. The function says which part can be read.
    SCORESHEET_STATUS_DAMAGED = 2,
    // An argument is NULL, has an unknown name, or has a value that cannot be understood.
    SCORESHEET_STATUS_BAD_ARGUMENT = 3,
    // There is no game, tag or item with this number.
    SCORESHEET_STATUS_OUT_OF_RANGE = 4,
    // There is no such file.
    SCORESHEET_STATUS_NOT_FOUND = 5,
    // The system cannot read or write a file.
    SCORESHEET_STATUS_IO = 6,
    // The file has no known format, or the format cannot do this.
    SCORESHEET_STATUS_UNSUPPORTED = 7,
    // The base as a whole cannot be read.
    SCORESHEET_STATUS_BROKEN = 8,
    // The output exists, and nobody asked to replace it.
    SCORESHEET_STATUS_EXISTS = 9,
    // The target format cannot hold the game. In a strict conversion: cannot hold all of it.
    SCORESHEET_STATUS_REFUSED = 10,
    // A fault of this library. Please report it.
    SCORESHEET_STATUS_INTERNAL = 11,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum ScoresheetStatus ScoresheetStatus;
#else
typedef int32_t ScoresheetStatus;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The kind of a finding.
enum ScoresheetFindingKind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // The file deviates from its format, and nothing is lost.
    SCORESHEET_FINDING_KIND_DEVIATION = 0,
    // Something is lost.
    SCORESHEET_FINDING_KIND_DAMAGE = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum ScoresheetFindingKind ScoresheetFindingKind;
#else
typedef int32_t ScoresheetFindingKind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The kind of a token.
enum ScoresheetTokenKind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint8_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // A move.
    SCORESHEET_TOKEN_KIND_MOVE = 0,
    // A numeric annotation glyph for the move before it.
    SCORESHEET_TOKEN_KIND_NAG = 1,
    // A comment, at the place where it stands.
    SCORESHEET_TOKEN_KIND_COMMENT = 2,
    // An alternative to the last move of this level starts, from the position before that move.
    SCORESHEET_TOKEN_KIND_VARIATION_START = 3,
    // The innermost variation ends. The line goes on after the move that it replaced.
    SCORESHEET_TOKEN_KIND_VARIATION_END = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum ScoresheetTokenKind ScoresheetTokenKind;
#else
typedef uint8_t ScoresheetTokenKind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// An open base. Several threads may use one base at the same time. A base can be freed while readers
// of it are in use.
typedef struct ScoresheetBase ScoresheetBase;

// The failure of a call. Free it with `scoresheet_error_free`.
typedef struct ScoresheetError ScoresheetError;

// Criteria that select games. An empty filter, or NULL in place of a filter, selects all games.
typedef struct ScoresheetFilter ScoresheetFilter;

// A game. One thread at a time uses a game. Create one and read many games into it: its memory is used
// again.
//
// Texts and arrays of a game are made when they are asked for, and valid until a game is read into
// this handle or it is freed.
typedef struct ScoresheetGame ScoresheetGame;

// Options by name, as the program has them. An empty set means the defaults.
typedef struct ScoresheetOptions ScoresheetOptions;

// A base that is being written. It appears as a whole when it is finished, and not at all if it is freed
// before.
typedef struct ScoresheetOutput ScoresheetOutput;

// Reads games of a base by number. One thread at a time uses a reader; each thread has its own. A
// reader stays usable when its base is freed.
typedef struct ScoresheetReader ScoresheetReader;

// The result of a check.
typedef struct ScoresheetReport ScoresheetReport;

// The numbers of the games that a search found, in rising order. It takes eight bytes a game.
typedef struct ScoresheetSelection ScoresheetSelection;

// A text that a handle owns: UTF-8, `length` bytes, then a zero byte.
//
// The text may contain zero bytes of its own, so `length` counts. `data` is NULL if there is no such
// text, which differs from an empty text. The text is valid until the handle is freed or filled again.
typedef struct {
    // The first byte, or NULL.
    const char *data;
    // The number of bytes before the final zero byte.
    size_t length;
} ScoresheetText;

// A place in the files of a base. All numbers count from zero. A number that is not known is
// `SCORESHEET_NONE`.
typedef struct {
    // The byte in the file.
    uint64_t offset;
    // The number of the game.
    uint64_t game;
    // The number of half-moves played before this place, on its line.
    uint64_t ply;
    // The line of a text file.
    uint64_t line;
    // The byte in the line of a text file.
    uint64_t column;
} ScoresheetPlace;

// A deviation or damage. Its texts belong to the handle that returned the finding.
typedef struct {
    // The kind: a deviation or damage.
    ScoresheetFindingKind kind;
    // A stable name, such as `scid-surplus-comments`. Empty for an error without a name.
    ScoresheetText name;
    // The message, without the place.
    ScoresheetText message;
    // The file of the base, by its usual extension, such as `sg4`. Empty if it is not known.
    ScoresheetText part;
    // Where it was found.
    ScoresheetPlace place;
} ScoresheetFinding;

// Reports progress: `done` of `total` units. The units are games, or bytes of a text file. `total` is
// `SCORESHEET_NONE` if it is not known. `context` is the pointer that was given with the callback.
//
// Returns 0 to continue. Any other value stops the call, which returns `SCORESHEET_STATUS_CANCELLED`.
//
// The library calls it on the thread of the call that it was given to. It must not throw, and must not
// free a handle that the call uses.
typedef int (*ScoresheetProgress)(void *context, uint64_t done, uint64_t total);

// The counts of a check.
typedef struct {
    // The number of games read.
    uint64_t games;
    // The number of damaged games.
    uint64_t damaged;
    // The number of games with deviations.
    uint64_t deviating;
    // The number of damages of the base as a whole.
    uint64_t base_damages;
    // The number of deviations of the base as a whole.
    uint64_t base_deviations;
    // The number of findings, kept or not.
    uint64_t findings;
    // Whether the base could not be read to its end, or is a text without a game.
    bool is_broken;
    // Whether nothing is broken or damaged.
    bool is_sound;
} ScoresheetCheckCounts;

// A format. Its texts are never freed.
typedef struct {
    // A short name in lower case: `si4`.
    ScoresheetText name;
    // A name for people: `Scid 4`.
    ScoresheetText title;
    // The extensions of its files, with blanks between them: `si4 sg4 sn4`. The first names a base.
    ScoresheetText extensions;
    // Whether bases can be read.
    bool can_read;
    // Whether bases can be written.
    bool can_write;
    // Whether bases can be changed in place, by the program.
    bool can_edit;
} ScoresheetFormat;

// The counts of a conversion.
typedef struct {
    // The number of games in the sources.
    uint64_t read;
    // The number of games written, complete or not.
    uint64_t written;
    // The number of games that the filter did not select.
    uint64_t passed_over;
    // The number of damaged games.
    uint64_t damaged;
    // The number of games that the target format refused.
    uint64_t refused;
    // The number of games written with losses.
    uint64_t lossy;
    // The number of games written that the source marks as deleted.
    uint64_t deleted;
    // Whether every selected game was read and written completely, with all facts of the base.
    bool is_complete;
} ScoresheetSummary;

// A token of a game. The tokens are in the order of PGN; variations nest, and each start has its end.
typedef struct {
    // The kind. The other fields belong to some kinds and are 0 otherwise.
    ScoresheetTokenKind kind;
    // Move: the square of the piece, 0 for a1, 1 for b1, 63 for h8.
    uint8_t from;
    // Move: the square to which the piece goes, as in UCI. Castling is the move of the king, `e1g1`; in Chess960
    // it is the king to its own rook. A null move goes from 0 to 0.
    uint8_t to;
    // Move: `n`, `b`, `r`, `q` for a promotion, 0 otherwise. Damaged games can hold `k` and `p`.
    uint8_t promotion;
    // Move: 1 if it castles towards the h-file, 2 towards the a-file, 0 otherwise.
    uint8_t castling;
    // Always 0.
    uint8_t reserved[3];
    // Move: the number of half-moves before it on its line. Nag: its number. Comment: its number in
    // the game, from zero, for `scoresheet_game_comment`.
    uint32_t value;
} ScoresheetToken;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Returns the version of the library, such as `0.1.0`, as a text that ends with a zero byte and is
// never freed.
const char *scoresheet_version(void);

// Returns the number of the binary interface. A program that was compiled with another
// `SCORESHEET_ABI_VERSION` must not call anything else.
uint32_t scoresheet_abi_version(void);

// Returns the games that `filter` selects as rows of an Arrow C stream, which DuckDB, Polars, pyarrow and other
// libraries import without a copy. `filter` and `options` may be NULL.
//
// Only a library that was compiled with its feature `arrow` does this. Any other returns
// `SCORESHEET_STATUS_UNSUPPORTED`.
//
// The option `rows` is `games` or `plies`: a row is a game or a half-move. `columns` has names with commas between
// them; docs/tables.md lists them. `min-ply` and `max-ply` select half-moves. `time-unit` is `ms` or `us`. With
// `strict` as `yes` the first deviation is an error. `batch-rows` and `threads` are numbers.
//
// The games are read on threads of the library while the stream is consumed. A damaged game is a row with the moves
// before the damage, and the column `damage` says why. If the base as a whole cannot be read further, `get_next`
// fails, and `get_last_error` has the message.
//
// The caller calls `stream->release` once, at any time; it stops the reading. The base and the filter may be freed
// before. After a failure `stream->release` is NULL.
ScoresheetStatus scoresheet_base_arrow_stream(const ScoresheetBase *base,
                                              const ScoresheetFilter *filter,
                                              const ScoresheetOptions *options,
                                              struct ArrowArrayStream *stream,
                                              ScoresheetError **error);

// Opens a base. `path` names any of its files. `options` may be NULL. `*base` is NULL after a failure.
// Free the base with `scoresheet_base_free`.
ScoresheetStatus scoresheet_base_open(const char *path,
                                      const ScoresheetOptions *options,
                                      ScoresheetBase **base,
                                      ScoresheetError **error);

// Opens a base in memory. `bytes` is the content of its only file, or a zip archive of its files. The format follows
// from the content and from the extension of `name`, such as `games.pgn.gz`; the option `format` is an error. The
// `length` bytes are copied. Otherwise like `scoresheet_base_open`.
ScoresheetStatus scoresheet_base_open_bytes(const char *name,
                                            const uint8_t *bytes,
                                            size_t length,
                                            const ScoresheetOptions *options,
                                            ScoresheetBase **base,
                                            ScoresheetError **error);

// Frees a base. NULL is allowed.
void scoresheet_base_free(ScoresheetBase *base);

// Returns the name of the format of a base, such as `si4`.
ScoresheetText scoresheet_base_format(const ScoresheetBase *base);

// Returns the path that was opened, as UTF-8.
ScoresheetText scoresheet_base_path(const ScoresheetBase *base);

// Returns the number of deviations that were found on opening.
size_t scoresheet_base_warning_count(const ScoresheetBase *base);

// Returns a deviation that was found on opening; `index` counts from zero.
//
// `SCORESHEET_STATUS_OUT_OF_RANGE`: there is no such deviation.
ScoresheetStatus scoresheet_base_warning_at(const ScoresheetBase *base,
                                            size_t index,
                                            ScoresheetFinding *warning);

// Numbers the games of a text (PGN or JSON lines, compressed or not), so that they can be had by number.
// Does nothing for other formats, or if it was done before. Without this call, the first function that needs it
// does it, without progress.
//
// It reads the file once and keeps the places of its blocks. A compressed text of more than a megabyte is
// unpacked into a temporary file.
//
// `SCORESHEET_STATUS_DAMAGED` or `SCORESHEET_STATUS_BROKEN`: the games before the damage are numbered.
ScoresheetStatus scoresheet_base_index(const ScoresheetBase *base,
                                       ScoresheetProgress progress,
                                       void *context,
                                       ScoresheetError **error);

// Counts the games. A text is numbered first, as by `scoresheet_base_index`.
//
// If the text cannot be read to its end, the status says so, and `*count` is the number of games before
// the damage. After any other failure `*count` is `SCORESHEET_NONE`.
ScoresheetStatus scoresheet_base_count(const ScoresheetBase *base,
                                       uint64_t *count,
                                       ScoresheetError **error);

// Reads all games of a base, and compares them with the index. At most `most` findings are kept; all are
// counted. `progress` may be NULL.
//
// A damaged or broken base is no failure: the report says so. `*report` is NULL after a failure.
// Free it with `scoresheet_report_free`.
ScoresheetStatus scoresheet_check(const ScoresheetBase *base,
                                  size_t most,
                                  ScoresheetProgress progress,
                                  void *context,
                                  ScoresheetReport **report,
                                  ScoresheetError **error);

// Returns the counts of a check.
ScoresheetCheckCounts scoresheet_report_counts(const ScoresheetReport *report);

// Returns the number of findings that were kept.
size_t scoresheet_report_finding_count(const ScoresheetReport *report);

// Returns a finding; `index` counts from zero. Its texts belong to the report.
//
// `SCORESHEET_STATUS_OUT_OF_RANGE`: there is no such finding.
ScoresheetStatus scoresheet_report_finding_at(const ScoresheetReport *report,
                                              size_t index,
                                              ScoresheetFinding *finding);

// Frees a report. NULL is allowed.
void scoresheet_report_free(ScoresheetReport *report);

// Creates a filter that selects all games. Free it with `scoresheet_filter_free`.
ScoresheetFilter *scoresheet_filter_new(void);

// Adds a criterion: the name and the value of an option of the program, such as `player` and
// `carlsen m`, `date` and `2019-05..2021`, or `position` and a FEN. `exact`, `variations`, `deleted`
// and `annotated` take `yes` or `no`. `games` counts games from one, as the program does.
//
// A name that is added twice means "or"; different names must all hold.
ScoresheetStatus scoresheet_filter_add(ScoresheetFilter *filter,
                                       const char *name,
                                       const char *value,
                                       ScoresheetError **error);

// Adds a criterion that is written as one word: `player=carlsen m`. The first `=` ends the name.
ScoresheetStatus scoresheet_filter_add_word(ScoresheetFilter *filter,
                                            const char *word,
                                            ScoresheetError **error);

// Selects only games with these numbers, which count from zero. A second call replaces the numbers of the
// first. `numbers` may be NULL if `count` is 0; then no game is selected. The numbers are copied.
ScoresheetStatus scoresheet_filter_only_games(ScoresheetFilter *filter,
                                              const uint64_t *numbers,
                                              size_t count,
                                              ScoresheetError **error);

// Frees a filter. NULL is allowed.
void scoresheet_filter_free(ScoresheetFilter *filter);

// Returns the number of formats.
size_t scoresheet_format_count(void);

// Describes a format; `index` counts from zero.
//
// `SCORESHEET_STATUS_OUT_OF_RANGE`: there is no such format, and `format` stays as it is.
ScoresheetStatus scoresheet_format_at(size_t index, ScoresheetFormat *format);

// Returns the number of criteria that a filter knows.
size_t scoresheet_filter_name_count(void);

// Returns the name of a criterion for `scoresheet_filter_add`; `index` counts from zero. No text if there
// is no such criterion. The text is never freed.
ScoresheetText scoresheet_filter_name_at(size_t index);

// Creates an empty game. Free it with `scoresheet_game_free`.
ScoresheetGame *scoresheet_game_new(void);

// Reads the first game of a PGN text into `game`. `pgn` ends with a zero byte.
//
// `SCORESHEET_STATUS_DAMAGED`: `game` holds the tags and moves before the damage.
ScoresheetStatus scoresheet_game_from_pgn(ScoresheetGame *game,
                                          const char *pgn,
                                          ScoresheetError **error);

// Frees a game. NULL is allowed.
void scoresheet_game_free(ScoresheetGame *game);

// Returns the number of the game in its base, from zero. `SCORESHEET_NONE` if it has none.
uint64_t scoresheet_game_number(const ScoresheetGame *game);

// Returns the value of a tag, such as `White`, `WhiteElo` or `Deleted`. No text if the game has no such
// tag. `FEN` is no tag here: `scoresheet_game_fen` returns the start position.
ScoresheetText scoresheet_game_tag(ScoresheetGame *game,
                                   const char *name);

// Returns the number of tags.
size_t scoresheet_game_tag_count(ScoresheetGame *game);

// Returns a tag in PGN order: the seven-tag roster first. `index` counts from zero. A name may occur
// several times.
//
// `SCORESHEET_STATUS_OUT_OF_RANGE`: there is no such tag.
ScoresheetStatus scoresheet_game_tag_at(ScoresheetGame *game,
                                        size_t index,
                                        ScoresheetText *name,
                                        ScoresheetText *value);

// Returns the game as PGN.
ScoresheetText scoresheet_game_pgn(ScoresheetGame *game);

// Returns the game as one line of JSON, without a line feed: the canonical line of docs/model.md.
ScoresheetText scoresheet_game_json(ScoresheetGame *game);

// Returns the start position as a FEN.
ScoresheetText scoresheet_game_fen(ScoresheetGame *game);

// Returns the position after the token `index` as a FEN, which replays the game up to there. After the
// end of a variation it is the position from which the line around it goes on.
//
// The text is valid until the next call of this function with this game, and no longer than other texts.
//
// `SCORESHEET_STATUS_OUT_OF_RANGE`: there is no such token.
ScoresheetStatus scoresheet_game_fen_after(ScoresheetGame *game,
                                           size_t index,
                                           ScoresheetText *fen,
                                           ScoresheetError **error);

// Returns whether the game is Chess960: it starts with castling rights that only Chess960 has.
bool scoresheet_game_is_chess960(const ScoresheetGame *game);

// Returns the number of half-moves of the main line.
size_t scoresheet_game_ply_count(const ScoresheetGame *game);

// Returns the number of deviations that were tolerated while the game was read.
size_t scoresheet_game_warning_count(const ScoresheetGame *game);

// Returns a deviation that was tolerated while the game was read; `index` counts from zero.
//
// `SCORESHEET_STATUS_OUT_OF_RANGE`: there is no such deviation.
ScoresheetStatus scoresheet_game_warning_at(const ScoresheetGame *game,
                                            size_t index,
                                            ScoresheetFinding *warning);

// Creates an empty set of options. Free it with `scoresheet_options_free`. NULL in place of options
// means the defaults, too.
ScoresheetOptions *scoresheet_options_new(void);

// Adds an option. A later value of the same name replaces an earlier one.
//
// To open a base: `format` (a name of `scoresheet_format_at`), `encoding` (`windows-1252`),
// `password` (of a `.cbz`), `strict` (`yes`: the first deviation is an error), `max-unpacked` (bytes),
// `threads` (of searches, checks and conversions).
//
// To write a base: `format`, `encoding`, `overwrite` (`yes`), `strict` (`yes`: damage, refusals and
// losses are errors), `drop-damaged` (`yes`), `threads`, `strip`, `add`, `from-ply` and `plies`, as
// the options of `scoresheet convert`.
//
// All other names are options of the format. Names and values are checked where they are used.
ScoresheetStatus scoresheet_options_set(ScoresheetOptions *options,
                                        const char *name,
                                        const char *value,
                                        ScoresheetError **error);

// Frees options. NULL is allowed.
void scoresheet_options_free(ScoresheetOptions *options);

// Creates a base. The format follows from the extension of `path`, or from the option `format`. `options` may be
// NULL. `*output` is NULL after a failure. Free it with `scoresheet_output_free`.
//
// `SCORESHEET_STATUS_EXISTS`: there is such a base, and the option `overwrite` is not `yes`.
ScoresheetStatus scoresheet_output_create(const char *path,
                                          const ScoresheetOptions *options,
                                          ScoresheetOutput **output,
                                          ScoresheetError **error);

// Copies the games of `base` that `filter` selects. `filter` and `progress` may be NULL. Several bases may
// follow each other.
//
// After `SCORESHEET_STATUS_CANCELLED` the output holds the games that its summary counts. It can be finished or
// freed, which removes them. After other failures it should be freed.
ScoresheetStatus scoresheet_output_add(ScoresheetOutput *output,
                                       const ScoresheetBase *base,
                                       const ScoresheetFilter *filter,
                                       ScoresheetProgress progress,
                                       void *context,
                                       ScoresheetError **error);

// Writes one game.
//
// `SCORESHEET_STATUS_REFUSED`: the format cannot hold the game; others can follow.
ScoresheetStatus scoresheet_output_write(ScoresheetOutput *output,
                                         const ScoresheetGame *game,
                                         ScoresheetError **error);

// Completes the base, which now appears under its name. The output must still be freed. `summary` may be NULL.
ScoresheetStatus scoresheet_output_finish(ScoresheetOutput *output,
                                          ScoresheetSummary *summary,
                                          ScoresheetError **error);

// Returns the counts so far.
ScoresheetSummary scoresheet_output_summary(const ScoresheetOutput *output);

// Lists what the target could not hold, by kind, and returns the number of kinds.
size_t scoresheet_output_loss_count(ScoresheetOutput *output);

// Returns a kind of loss, such as `rating`, and how often it occurred. `index` counts from zero, in the list that
// `scoresheet_output_loss_count` made last. The name is valid until the list is made again.
//
// `SCORESHEET_STATUS_OUT_OF_RANGE`: there is no such kind.
ScoresheetStatus scoresheet_output_loss_at(const ScoresheetOutput *output,
                                           size_t index,
                                           ScoresheetText *name,
                                           uint64_t *count);

// Frees an output. If it is not finished, all that was written is removed. NULL is allowed.
void scoresheet_output_free(ScoresheetOutput *output);

// Converts a base: creates an output, adds `base` and finishes. After a failure, a cancellation included,
// nothing was written, and a base that existed is as before. `options`, `filter`, `progress` and `summary` may be
// NULL.
ScoresheetStatus scoresheet_convert(const ScoresheetBase *base,
                                    const char *path,
                                    const ScoresheetOptions *options,
                                    const ScoresheetFilter *filter,
                                    ScoresheetProgress progress,
                                    void *context,
                                    ScoresheetSummary *summary,
                                    ScoresheetError **error);

// Creates a reader. A text is numbered first, as by `scoresheet_base_index`; damage further on in the text
// is no failure here. `*reader` is NULL after a failure. Free it with `scoresheet_reader_free`.
ScoresheetStatus scoresheet_reader_new(const ScoresheetBase *base,
                                       ScoresheetReader **reader,
                                       ScoresheetError **error);

// Reads the header of a game into `game`, which then has tags but no moves. For most formats only the
// index is read, which is fast enough to fill a list while it is scrolled. Tags that the index does not hold are
// missing. `number` counts from zero.
ScoresheetStatus scoresheet_reader_header(ScoresheetReader *reader,
                                          uint64_t number,
                                          ScoresheetGame *game,
                                          ScoresheetError **error);

// Reads a game into `game`. `number` counts from zero.
//
// `SCORESHEET_STATUS_DAMAGED`: `game` holds the tags and moves before the damage. After other
// failures it is empty.
ScoresheetStatus scoresheet_reader_game(ScoresheetReader *reader,
                                        uint64_t number,
                                        ScoresheetGame *game,
                                        ScoresheetError **error);

// Frees a reader. NULL is allowed.
void scoresheet_reader_free(ScoresheetReader *reader);

// Searches a base for the games that `filter` selects, on all cores. Names, dates and most positions are searched
// in the index of the base. `filter` may be NULL, which selects all games. `progress` may be NULL.
//
// `*selection` is NULL after a failure. Free it with `scoresheet_selection_free`.
ScoresheetStatus scoresheet_select(const ScoresheetBase *base,
                                   const ScoresheetFilter *filter,
                                   ScoresheetProgress progress,
                                   void *context,
                                   ScoresheetSelection **selection,
                                   ScoresheetError **error);

// Returns the number of games found.
size_t scoresheet_selection_count(const ScoresheetSelection *selection);

// Returns the number of the game at `index` of the selection. Both count from zero. `SCORESHEET_NONE` if
// there is no such game.
uint64_t scoresheet_selection_at(const ScoresheetSelection *selection,
                                 size_t index);

// Returns the numbers of all games found. The array belongs to the selection.
const uint64_t *scoresheet_selection_numbers(const ScoresheetSelection *selection);

// Returns how many games were not selected only because their date is partly known and can be inside or outside
// the range.
uint64_t scoresheet_selection_undecided(const ScoresheetSelection *selection);

// Frees a selection. NULL is allowed.
void scoresheet_selection_free(ScoresheetSelection *selection);

// Returns the status of an error. `SCORESHEET_STATUS_OK` for NULL.
ScoresheetStatus scoresheet_error_status(const ScoresheetError *error);

// Returns the message of an error: one line with file, place and cause.
ScoresheetText scoresheet_error_message(const ScoresheetError *error);

// Returns the file that was named, if the error concerns a file. Otherwise the text is empty.
ScoresheetText scoresheet_error_file(const ScoresheetError *error);

// Returns the file of the base that `scoresheet_error_place` refers to, by its usual extension, such
// as `sg4`. Empty if it is the named file or not known.
ScoresheetText scoresheet_error_part(const ScoresheetError *error);

// Returns the place of an error: byte, game, half-move, line, column. The message counts games,
// half-moves and lines from one, the place counts them from zero.
ScoresheetPlace scoresheet_error_place(const ScoresheetError *error);

// Frees an error. NULL is allowed.
void scoresheet_error_free(ScoresheetError *error);

// Returns the name of a status, such as `damaged`, as a text that ends with a zero byte and is never
// freed. `unknown` for a number that is no status.
const char *scoresheet_status_name(int32_t status);

// Returns the tokens of the game. The array belongs to the game.
ScoresheetStatus scoresheet_game_tokens(ScoresheetGame *game,
                                        const ScoresheetToken **tokens,
                                        size_t *count,
                                        ScoresheetError **error);

// Returns a comment by its number, the `value` of its token. No text if there is no such comment.
ScoresheetText scoresheet_game_comment(ScoresheetGame *game, uint32_t number);

// Returns the move of the token `index` in SAN, such as `Nf3`. No text if this token is no move.
ScoresheetText scoresheet_game_san(ScoresheetGame *game, size_t index);

// Returns the move of the token `index` in UCI, such as `g1f3`. No text if this token is no move.
ScoresheetText scoresheet_game_uci(ScoresheetGame *game, size_t index);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* SCORESHEET_H */
