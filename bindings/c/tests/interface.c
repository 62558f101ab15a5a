/* Tests of the C interface over the fixtures: interface FIXTURES EMPTY_FOLDER */

#define _POSIX_C_SOURCE 200809L

#include <pthread.h>

#include "check.h"

static const char *fixtures;
static const char *folder;

static const char *in(const char *where, const char *name) {
    static char paths[4][4096];
    static unsigned next = 0;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", where, name);
    return path;
}

static ScoresheetBase *open_base(const char *name) {
    ScoresheetBase *base = NULL;
    ScoresheetError *error = NULL;
    ScoresheetStatus status = scoresheet_base_open(in(fixtures, name), NULL, &base, &error);
    CHECK(!failed(error, name));
    CHECK(status == SCORESHEET_STATUS_OK && base != NULL);
    return base;
}

static uint64_t count_games(const ScoresheetBase *base) {
    uint64_t count = 0;
    ScoresheetError *error = NULL;
    CHECK(scoresheet_base_count(base, &count, &error) == SCORESHEET_STATUS_OK);
    CHECK(!failed(error, "count"));
    return count;
}

static ScoresheetReader *read_base(const ScoresheetBase *base) {
    ScoresheetReader *reader = NULL;
    CHECK(scoresheet_reader_new(base, &reader, NULL) == SCORESHEET_STATUS_OK);
    CHECK(reader != NULL);
    return reader;
}

static void versions_match_header(void) {
    CHECK(scoresheet_abi_version() == SCORESHEET_ABI_VERSION);
    CHECK(strcmp(scoresheet_version(), "0.1.0") == 0);
    CHECK(strcmp(scoresheet_status_name(SCORESHEET_STATUS_DAMAGED), "damaged") == 0);
    CHECK(strcmp(scoresheet_status_name(SCORESHEET_STATUS_OK), "ok") == 0);
    CHECK(strcmp(scoresheet_status_name(SCORESHEET_STATUS_INTERNAL), "internal") == 0);
    CHECK(strcmp(scoresheet_status_name(-7), "unknown") == 0);
}

static void formats_and_filter_names_are_listed(void) {
    size_t count = scoresheet_format_count();
    int scid = 0;
    ScoresheetFormat format;
    CHECK(count > 10);
    for (size_t index = 0; index < count; index++) {
        CHECK(scoresheet_format_at(index, &format) == SCORESHEET_STATUS_OK);
        CHECK(format.name.length > 0 && format.title.length > 0);
        if (text_is(format.name, "si4")) {
            scid = 1;
            CHECK(text_is(format.title, "Scid 4"));
            CHECK(text_is(format.extensions, "si4 sg4 sn4"));
            CHECK(format.can_read && format.can_write && format.can_edit);
        }
    }
    CHECK(scid);
    CHECK(scoresheet_format_at(count, &format) == SCORESHEET_STATUS_OUT_OF_RANGE);
    CHECK(scoresheet_format_at(0, NULL) == SCORESHEET_STATUS_BAD_ARGUMENT);
    CHECK(scoresheet_filter_name_count() > 20);
    CHECK(text_is(scoresheet_filter_name_at(1), "player"));
    CHECK(scoresheet_filter_name_at(scoresheet_filter_name_count()).data == NULL);
}

static void header_of_each_game_has_tags(void) {
    ScoresheetBase *base = open_base("scid/plain/base.si4");
    ScoresheetReader *reader = read_base(base);
    ScoresheetGame *game = scoresheet_game_new();
    ScoresheetText name, value;
    CHECK(text_is(scoresheet_base_format(base), "si4"));
    CHECK(text_has(scoresheet_base_path(base), "scid/plain/base.si4"));
    CHECK(count_games(base) == 6);
    CHECK(scoresheet_reader_header(reader, 0, game, NULL) == SCORESHEET_STATUS_OK);
    CHECK(text_is(scoresheet_game_tag(game, "White"), "Alder, Nora"));
    CHECK(text_is(scoresheet_game_tag(game, "WhiteElo"), "1873"));
    CHECK(text_is(scoresheet_game_tag(game, "Result"), "1/2-1/2"));
    CHECK(text_is(scoresheet_game_tag(game, "Date"), "2019.03.14"));
    CHECK(scoresheet_game_tag(game, "Annotator").data == NULL);
    CHECK(scoresheet_game_tag(game, NULL).data == NULL);
    CHECK(scoresheet_game_number(game) == 0);
    CHECK(scoresheet_game_ply_count(game) == 0);
    CHECK(scoresheet_game_tag_count(game) == 10);
    CHECK(scoresheet_game_tag_at(game, 0, &name, &value) == SCORESHEET_STATUS_OK);
    CHECK(text_is(name, "Event") && text_is(value, "Club evening"));
    CHECK(scoresheet_game_tag_at(game, 10, &name, &value) == SCORESHEET_STATUS_OUT_OF_RANGE);
    CHECK(scoresheet_game_tag_at(game, 0, NULL, &value) == SCORESHEET_STATUS_BAD_ARGUMENT);
    /* The same handle, filled again. */
    CHECK(scoresheet_reader_header(reader, 2, game, NULL) == SCORESHEET_STATUS_OK);
    CHECK(text_is(scoresheet_game_tag(game, "White"), "Shortest"));
    CHECK(scoresheet_game_tag(game, "WhiteElo").data == NULL);
    scoresheet_game_free(game);
    scoresheet_reader_free(reader);
    scoresheet_base_free(base);
}

static void game_outlives_reader_and_base(void) {
    ScoresheetBase *base = open_base("scid/plain/base.si4");
    ScoresheetReader *reader = read_base(base);
    ScoresheetGame *game = scoresheet_game_new();
    scoresheet_base_free(base);
    CHECK(scoresheet_reader_game(reader, 2, game, NULL) == SCORESHEET_STATUS_OK);
    scoresheet_reader_free(reader);
    CHECK(text_has(scoresheet_game_pgn(game), "1. f3 e5 2. g4 Qh4# 0-1"));
    CHECK(text_has(scoresheet_game_json(game), "\"line\":[\"f2f3\",\"e7e5\",\"g2g4\",\"d8h4\"]"));
    CHECK(text_is(scoresheet_game_fen(game),
                  "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"));
    CHECK(scoresheet_game_ply_count(game) == 4);
    CHECK(!scoresheet_game_is_chess960(game));
    scoresheet_game_free(game);
}

static const char VARIATIONS[] =
    "[White \"\xc3\x89toile\"]\n[Result \"1-0\"]\n\n"
    "{first} 1. e4 $1 e5 (1... c5 {Sicilian} 2. Nf3 (2. c3 d5)) 2. Nf3 Nc6 3. Bb5 Nf6 4. O-O "
    "{last} 1-0\n";

static void tokens_follow_pgn_order(void) {
    static const ScoresheetTokenKind KINDS[] = {
        SCORESHEET_TOKEN_KIND_COMMENT, SCORESHEET_TOKEN_KIND_MOVE,
        SCORESHEET_TOKEN_KIND_NAG, SCORESHEET_TOKEN_KIND_MOVE,
        SCORESHEET_TOKEN_KIND_VARIATION_START, SCORESHEET_TOKEN_KIND_MOVE,
        SCORESHEET_TOKEN_KIND_COMMENT, SCORESHEET_TOKEN_KIND_MOVE,
        SCORESHEET_TOKEN_KIND_VARIATION_START, SCORESHEET_TOKEN_KIND_MOVE,
        SCORESHEET_TOKEN_KIND_MOVE, SCORESHEET_TOKEN_KIND_VARIATION_END,
        SCORESHEET_TOKEN_KIND_VARIATION_END, SCORESHEET_TOKEN_KIND_MOVE,
        SCORESHEET_TOKEN_KIND_MOVE, SCORESHEET_TOKEN_KIND_MOVE,
        SCORESHEET_TOKEN_KIND_MOVE, SCORESHEET_TOKEN_KIND_MOVE,
        SCORESHEET_TOKEN_KIND_COMMENT,
    };
    const size_t length = sizeof KINDS / sizeof KINDS[0];
    ScoresheetGame *game = scoresheet_game_new();
    ScoresheetError *error = NULL;
    const ScoresheetToken *tokens = NULL;
    size_t count = 0;
    ScoresheetText fen;
    CHECK(scoresheet_game_from_pgn(game, VARIATIONS, &error) == SCORESHEET_STATUS_OK);
    CHECK(!failed(error, "from_pgn"));
    CHECK(text_is(scoresheet_game_tag(game, "White"), "\xc3\x89toile"));
    CHECK(scoresheet_game_number(game) == SCORESHEET_NONE);
    CHECK(scoresheet_game_tokens(game, &tokens, &count, NULL) == SCORESHEET_STATUS_OK);
    CHECK(count == length);
    for (size_t index = 0; index < count && index < length; index++) {
        CHECK(tokens[index].kind == KINDS[index]);
        CHECK((scoresheet_game_san(game, index).data != NULL) ==
              (KINDS[index] == SCORESHEET_TOKEN_KIND_MOVE));
    }
    if (count == length) {
        /* e2 is 12, e4 is 28. */
        CHECK(tokens[1].from == 12 && tokens[1].to == 28 && tokens[1].value == 0);
        CHECK(tokens[2].value == 1);
        CHECK(tokens[3].value == 1 && tokens[5].value == 1 && tokens[13].value == 2);
        CHECK(text_is(scoresheet_game_comment(game, tokens[0].value), "first"));
        CHECK(text_is(scoresheet_game_comment(game, tokens[6].value), "Sicilian"));
        CHECK(text_is(scoresheet_game_comment(game, tokens[18].value), "last"));
        CHECK(scoresheet_game_comment(game, 3).data == NULL);
        CHECK(text_is(scoresheet_game_san(game, 17), "O-O"));
        CHECK(text_is(scoresheet_game_uci(game, 17), "e1g1"));
        CHECK(tokens[17].castling == 1 && tokens[17].from == 4 && tokens[17].to == 6);
        CHECK(text_is(scoresheet_game_san(game, 9), "c3"));
    }
    CHECK(scoresheet_game_san(game, length).data == NULL);
    CHECK(scoresheet_game_fen_after(game, 5, &fen, NULL) == SCORESHEET_STATUS_OK);
    CHECK(text_is(fen, "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"));
    CHECK(scoresheet_game_fen_after(game, 12, &fen, NULL) == SCORESHEET_STATUS_OK);
    CHECK(text_is(fen, "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"));
    CHECK(scoresheet_game_fen_after(game, length, &fen, NULL) == SCORESHEET_STATUS_OUT_OF_RANGE);
    CHECK(fen.data == NULL);
    CHECK(scoresheet_game_from_pgn(game, "", NULL) == SCORESHEET_STATUS_BAD_ARGUMENT);
    CHECK(scoresheet_game_from_pgn(game, "\xff\xfe", NULL) == SCORESHEET_STATUS_BAD_ARGUMENT);
    scoresheet_game_free(game);
}

static void damaged_game_keeps_moves_before_damage(void) {
    ScoresheetBase *base = open_base("scid/bad_move/base.si4");
    ScoresheetReader *reader = read_base(base);
    ScoresheetGame *game = scoresheet_game_new();
    ScoresheetError *error = NULL;
    CHECK(scoresheet_reader_game(reader, 1, game, &error) == SCORESHEET_STATUS_DAMAGED);
    CHECK(scoresheet_error_status(error) == SCORESHEET_STATUS_DAMAGED);
    CHECK(text_has(scoresheet_error_message(error), "base.sg4: byte 8, game 2, ply 1: "));
    CHECK(text_has(scoresheet_error_file(error), "base.si4"));
    CHECK(text_is(scoresheet_error_part(error), "sg4"));
    ScoresheetPlace place = scoresheet_error_place(error);
    CHECK(place.offset == 8 && place.game == 1 && place.ply == 0);
    CHECK(place.line == SCORESHEET_NONE && place.column == SCORESHEET_NONE);
    CHECK(scoresheet_game_tag(game, "White").data != NULL);
    scoresheet_error_free(error);
    CHECK(scoresheet_reader_game(reader, 2, game, &error) == SCORESHEET_STATUS_OK);
    CHECK(error == NULL);
    CHECK(scoresheet_reader_game(reader, 3, game, &error) == SCORESHEET_STATUS_OUT_OF_RANGE);
    CHECK(text_has(scoresheet_error_message(error), "the base has 3"));
    scoresheet_error_free(error);
    CHECK(scoresheet_game_tag_count(game) == 7 && scoresheet_game_ply_count(game) == 0);
    CHECK(scoresheet_reader_header(reader, UINT64_MAX, game, NULL) ==
          SCORESHEET_STATUS_OUT_OF_RANGE);
    scoresheet_game_free(game);
    scoresheet_reader_free(reader);
    scoresheet_base_free(base);
}

static void check_counts_and_places_findings(void) {
    ScoresheetBase *base = open_base("scid/bad_move/base.si4");
    ScoresheetReport *report = NULL;
    ScoresheetFinding finding;
    int found = 0;
    CHECK(scoresheet_check(base, 100, NULL, NULL, &report, NULL) == SCORESHEET_STATUS_OK);
    ScoresheetCheckCounts counts = scoresheet_report_counts(report);
    CHECK(counts.games == 3 && counts.damaged == 1);
    CHECK(!counts.is_sound && !counts.is_broken);
    CHECK(counts.findings == scoresheet_report_finding_count(report));
    for (size_t index = 0; index < scoresheet_report_finding_count(report); index++) {
        CHECK(scoresheet_report_finding_at(report, index, &finding) == SCORESHEET_STATUS_OK);
        if (finding.kind == SCORESHEET_FINDING_KIND_DAMAGE && finding.place.game == 1) {
            found = 1;
            CHECK(text_is(finding.part, "sg4"));
            CHECK(text_has(finding.message, "0x60"));
            CHECK(finding.place.offset == 8);
        }
    }
    CHECK(found);
    CHECK(scoresheet_report_finding_at(report, counts.findings, &finding) ==
          SCORESHEET_STATUS_OUT_OF_RANGE);
    scoresheet_report_free(report);
    /* No finding is kept, and all are counted. */
    CHECK(scoresheet_check(base, 0, NULL, NULL, &report, NULL) == SCORESHEET_STATUS_OK);
    CHECK(scoresheet_report_counts(report).findings == counts.findings);
    CHECK(scoresheet_report_finding_count(report) == 0);
    scoresheet_report_free(report);
    scoresheet_base_free(base);
    base = open_base("scid/plain/base.si4");
    CHECK(scoresheet_check(base, 10, NULL, NULL, &report, NULL) == SCORESHEET_STATUS_OK);
    counts = scoresheet_report_counts(report);
    CHECK(counts.is_sound && counts.games == 6 && counts.findings == 0);
    scoresheet_report_free(report);
    scoresheet_base_free(base);
}

static void filters_select_games(void) {
    ScoresheetBase *base = open_base("scid/plain/base.si4");
    ScoresheetFilter *filter = scoresheet_filter_new();
    ScoresheetSelection *selection = NULL;
    ScoresheetError *error = NULL;
    const uint64_t some[] = {4, 2, 2, 99};
    CHECK(scoresheet_filter_add_word(filter, "player=alder", NULL) == SCORESHEET_STATUS_OK);
    CHECK(scoresheet_select(base, filter, NULL, NULL, &selection, &error) == SCORESHEET_STATUS_OK);
    CHECK(!failed(error, "select"));
    CHECK(scoresheet_selection_count(selection) == 2);
    CHECK(scoresheet_selection_at(selection, 0) == 0 && scoresheet_selection_at(selection, 1) == 4);
    CHECK(scoresheet_selection_at(selection, 2) == SCORESHEET_NONE);
    CHECK(scoresheet_selection_numbers(selection)[1] == 4);
    scoresheet_selection_free(selection);
    CHECK(scoresheet_filter_only_games(filter, some, 4, NULL) == SCORESHEET_STATUS_OK);
    CHECK(scoresheet_select(base, filter, NULL, NULL, &selection, NULL) == SCORESHEET_STATUS_OK);
    CHECK(scoresheet_selection_count(selection) == 1);
    CHECK(scoresheet_selection_at(selection, 0) == 4);
    scoresheet_selection_free(selection);
    CHECK(scoresheet_filter_only_games(filter, NULL, 0, NULL) == SCORESHEET_STATUS_OK);
    CHECK(scoresheet_select(base, filter, NULL, NULL, &selection, NULL) == SCORESHEET_STATUS_OK);
    CHECK(scoresheet_selection_count(selection) == 0);
    scoresheet_selection_free(selection);
    CHECK(scoresheet_filter_only_games(filter, NULL, 1, NULL) == SCORESHEET_STATUS_BAD_ARGUMENT);
    CHECK(scoresheet_filter_only_games(filter, some, SIZE_MAX, NULL) ==
          SCORESHEET_STATUS_BAD_ARGUMENT);
    CHECK(scoresheet_filter_add(filter, "colour", "white", &error) ==
          SCORESHEET_STATUS_BAD_ARGUMENT);
    CHECK(text_has(scoresheet_error_message(error), "no filter is called \"colour\""));
    scoresheet_error_free(error);
    CHECK(scoresheet_filter_add(filter, "date", "1995..1990", NULL) ==
          SCORESHEET_STATUS_BAD_ARGUMENT);
    CHECK(scoresheet_filter_add_word(filter, "player", NULL) == SCORESHEET_STATUS_BAD_ARGUMENT);
    CHECK(scoresheet_filter_add_word(filter, "player=\xff", NULL) ==
          SCORESHEET_STATUS_BAD_ARGUMENT);
    scoresheet_filter_free(filter);
    scoresheet_base_free(base);
}

static void position_search_finds_transposed_games(void) {
    ScoresheetBase *base = open_base("scid/plain/base.si4");
    ScoresheetFilter *filter = scoresheet_filter_new();
    ScoresheetSelection *selection = NULL;
    /* After 1. e4 e5 2. Nf3. */
    CHECK(scoresheet_filter_add(filter, "position",
                                "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq -",
                                NULL) == SCORESHEET_STATUS_OK);
    CHECK(scoresheet_select(base, filter, NULL, NULL, &selection, NULL) == SCORESHEET_STATUS_OK);
    CHECK(scoresheet_selection_count(selection) == 2);
    CHECK(scoresheet_selection_at(selection, 1) == 1);
    scoresheet_selection_free(selection);
    scoresheet_filter_free(filter);
    /* `variations` needs a position; what is missing is an error where the filter is used. */
    filter = scoresheet_filter_new();
    CHECK(scoresheet_filter_add(filter, "variations", "yes", NULL) == SCORESHEET_STATUS_OK);
    CHECK(scoresheet_select(base, filter, NULL, NULL, &selection, NULL) ==
          SCORESHEET_STATUS_BAD_ARGUMENT);
    CHECK(selection == NULL);
    scoresheet_filter_free(filter);
    scoresheet_base_free(base);
}

typedef struct {
    unsigned calls;
    unsigned stop_after;
    uint64_t last;
} Told;

static int tell(void *context, uint64_t done, uint64_t total) {
    Told *told = context;
    told->calls++;
    CHECK(total == SCORESHEET_NONE || done <= total);
    told->last = done;
    return told->stop_after != 0 && told->calls >= told->stop_after;
}

static void conversion_tells_progress_and_losses(void) {
    ScoresheetBase *base = open_base("scid/plain/base.si4");
    const char *path = in(folder, "out.cbf");
    ScoresheetSummary summary;
    ScoresheetOutput *output = NULL;
    ScoresheetOptions *options = scoresheet_options_new();
    ScoresheetError *error = NULL;
    ScoresheetText name;
    uint64_t count = 0, sum = 0;
    Told told = {0, 0, 0};
    CHECK(scoresheet_output_create(path, NULL, &output, &error) == SCORESHEET_STATUS_OK);
    CHECK(!failed(error, "create"));
    CHECK(scoresheet_output_add(output, base, NULL, tell, &told, &error) == SCORESHEET_STATUS_OK);
    CHECK(!failed(error, "add"));
    CHECK(told.calls > 0 && told.last == 6);
    CHECK(scoresheet_output_finish(output, &summary, NULL) == SCORESHEET_STATUS_OK);
    CHECK(summary.read == 6 && summary.written == 6 && summary.lossy > 0 && !summary.is_complete);
    size_t kinds = scoresheet_output_loss_count(output);
    CHECK(kinds > 0);
    for (size_t index = 0; index < kinds; index++) {
        CHECK(scoresheet_output_loss_at(output, index, &name, &count) == SCORESHEET_STATUS_OK);
        CHECK(name.length > 0 && count > 0);
        sum += count;
    }
    CHECK(sum >= summary.lossy);
    CHECK(scoresheet_output_loss_at(output, kinds, &name, &count) ==
          SCORESHEET_STATUS_OUT_OF_RANGE);
    CHECK(scoresheet_output_finish(output, NULL, NULL) == SCORESHEET_STATUS_BAD_ARGUMENT);
    CHECK(scoresheet_output_add(output, base, NULL, NULL, NULL, NULL) ==
          SCORESHEET_STATUS_BAD_ARGUMENT);
    scoresheet_output_free(output);
    CHECK(scoresheet_convert(base, path, NULL, NULL, NULL, NULL, NULL, &error) ==
          SCORESHEET_STATUS_EXISTS);
    CHECK(text_has(scoresheet_error_file(error), "out.cb"));
    scoresheet_error_free(error);
    CHECK(scoresheet_options_set(options, "overwrite", "yes", NULL) == SCORESHEET_STATUS_OK);
    CHECK(scoresheet_convert(base, path, options, NULL, NULL, NULL, &summary, NULL) ==
          SCORESHEET_STATUS_OK);
    CHECK(scoresheet_options_set(options, "strict", "yes", NULL) == SCORESHEET_STATUS_OK);
    CHECK(scoresheet_convert(base, path, options, NULL, NULL, NULL, NULL, NULL) ==
          SCORESHEET_STATUS_REFUSED);
    scoresheet_options_free(options);
    scoresheet_base_free(base);
}

static int exists(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file != NULL) {
        fclose(file);
    }
    return file != NULL;
}

static void cancelled_conversion_writes_nothing(void) {
    ScoresheetBase *base = open_base("scid/plain/base.si4");
    const char *path = in(folder, "cancelled.si4");
    ScoresheetSelection *selection = NULL;
    ScoresheetReport *report = NULL;
    ScoresheetError *error = NULL;
    Told told = {0, 1, 0};
    CHECK(scoresheet_convert(base, path, NULL, NULL, tell, &told, NULL, &error) ==
          SCORESHEET_STATUS_CANCELLED);
    CHECK(scoresheet_error_status(error) == SCORESHEET_STATUS_CANCELLED);
    scoresheet_error_free(error);
    CHECK(!exists(path));
    told.calls = 0;
    CHECK(scoresheet_select(base, NULL, tell, &told, &selection, NULL) ==
          SCORESHEET_STATUS_CANCELLED);
    CHECK(selection == NULL);
    told.calls = 0;
    CHECK(scoresheet_check(base, 9, tell, &told, &report, NULL) == SCORESHEET_STATUS_CANCELLED);
    CHECK(report == NULL);
    scoresheet_base_free(base);
}

static void output_freed_unfinished_leaves_nothing(void) {
    ScoresheetOutput *output = NULL;
    const char *path = in(folder, "unfinished.pgn");
    ScoresheetGame *game = scoresheet_game_new();
    CHECK(scoresheet_game_from_pgn(game, VARIATIONS, NULL) == SCORESHEET_STATUS_OK);
    CHECK(scoresheet_output_create(path, NULL, &output, NULL) == SCORESHEET_STATUS_OK);
    CHECK(scoresheet_output_write(output, game, NULL) == SCORESHEET_STATUS_OK);
    scoresheet_output_free(output);
    CHECK(!exists(path));
    CHECK(scoresheet_output_create(path, NULL, &output, NULL) == SCORESHEET_STATUS_OK);
    CHECK(scoresheet_output_write(output, game, NULL) == SCORESHEET_STATUS_OK);
    CHECK(scoresheet_output_write(output, game, NULL) == SCORESHEET_STATUS_OK);
    CHECK(scoresheet_output_summary(output).written == 2);
    CHECK(scoresheet_output_finish(output, NULL, NULL) == SCORESHEET_STATUS_OK);
    scoresheet_output_free(output);
    CHECK(exists(path));
    scoresheet_game_free(game);
}

static void text_has_games_by_number(void) {
    ScoresheetBase *base = NULL;
    ScoresheetReader *reader = NULL;
    ScoresheetGame *game = scoresheet_game_new();
    ScoresheetSummary summary;
    Told told = {0, 0, 0};
    const char *packed = in(folder, "plain.pgn.gz");
    ScoresheetBase *scid = open_base("scid/plain/base.si4");
    CHECK(scoresheet_convert(scid, packed, NULL, NULL, NULL, NULL, &summary, NULL) ==
          SCORESHEET_STATUS_OK);
    CHECK(summary.is_complete && summary.written == 6);
    scoresheet_base_free(scid);
    CHECK(scoresheet_base_open(packed, NULL, &base, NULL) == SCORESHEET_STATUS_OK);
    CHECK(text_is(scoresheet_base_format(base), "pgn"));
    CHECK(scoresheet_base_index(base, tell, &told, NULL) == SCORESHEET_STATUS_OK);
    CHECK(told.calls > 0);
    CHECK(count_games(base) == 6);
    reader = read_base(base);
    for (uint64_t number = 6; number-- > 0;) {
        CHECK(scoresheet_reader_game(reader, number, game, NULL) == SCORESHEET_STATUS_OK);
        CHECK(scoresheet_game_number(game) == number);
    }
    CHECK(text_is(scoresheet_game_tag(game, "White"), "Alder, Nora"));
    scoresheet_reader_free(reader);
    scoresheet_base_free(base);
    /* The callback stops the numbering, which a later call does again. */
    CHECK(scoresheet_base_open(packed, NULL, &base, NULL) == SCORESHEET_STATUS_OK);
    told.calls = 0;
    told.stop_after = 1;
    CHECK(scoresheet_base_index(base, tell, &told, NULL) == SCORESHEET_STATUS_CANCELLED);
    CHECK(count_games(base) == 6);
    scoresheet_base_free(base);
    scoresheet_game_free(game);
}

typedef struct {
    const ScoresheetBase *base;
    unsigned long plies;
    int failed;
} Work;

static void *read_all(void *context) {
    Work *work = context;
    ScoresheetReader *reader = NULL;
    ScoresheetGame *game = scoresheet_game_new();
    uint64_t count = 0;
    work->failed = scoresheet_base_count(work->base, &count, NULL) != SCORESHEET_STATUS_OK ||
                   scoresheet_reader_new(work->base, &reader, NULL) != SCORESHEET_STATUS_OK;
    for (uint64_t number = 0; !work->failed && number < count; number++) {
        work->failed = scoresheet_reader_game(reader, number, game, NULL) != SCORESHEET_STATUS_OK;
        work->plies += scoresheet_game_ply_count(game);
    }
    scoresheet_game_free(game);
    scoresheet_reader_free(reader);
    return NULL;
}

/* The text is numbered by whichever thread comes first. */
static void threads_share_one_base(void) {
    static const char *const BASES[] = {"scid/plain/base.si4", "pgn/many_games/base.pgn"};
    for (size_t index = 0; index < 2; index++) {
        ScoresheetBase *base = open_base(BASES[index]);
        pthread_t threads[4];
        Work works[4];
        for (size_t number = 0; number < 4; number++) {
            works[number].base = base;
            works[number].plies = 0;
            CHECK(pthread_create(&threads[number], NULL, read_all, &works[number]) == 0);
        }
        for (size_t number = 0; number < 4; number++) {
            CHECK(pthread_join(threads[number], NULL) == 0);
            CHECK(!works[number].failed && works[number].plies > 0);
            CHECK(works[number].plies == works[0].plies);
        }
        scoresheet_base_free(base);
    }
}

static int count_inside(void *context, uint64_t done, uint64_t total) {
    uint64_t count = 0;
    (void)done;
    (void)total;
    CHECK(scoresheet_base_count(context, &count, NULL) == SCORESHEET_STATUS_OK && count == 60);
    return 0;
}

static void callback_may_use_base_of_call(void) {
    ScoresheetBase *base = open_base("pgn/many_games/base.pgn");
    ScoresheetSelection *selection = NULL;
    CHECK(scoresheet_base_index(base, count_inside, base, NULL) == SCORESHEET_STATUS_OK);
    CHECK(scoresheet_select(base, NULL, count_inside, base, &selection, NULL) ==
          SCORESHEET_STATUS_OK);
    CHECK(scoresheet_selection_count(selection) == 60);
    scoresheet_selection_free(selection);
    scoresheet_base_free(base);
}

/* Copies a file without its last bytes. */
static void cut(const char *from, const char *to, long less) {
    static char bytes[1 << 16];
    FILE *file = fopen(from, "rb");
    CHECK(file != NULL);
    if (file == NULL) {
        return;
    }
    size_t length = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    file = fopen(to, "wb");
    CHECK(file != NULL && length > (size_t)less);
    if (file != NULL) {
        CHECK(fwrite(bytes, 1, length - (size_t)less, file) == length - (size_t)less);
        fclose(file);
    }
}

static void compressed_text_cut_short_has_games_before_cut(void) {
    const char *path = in(folder, "cut.pgn.gz");
    ScoresheetBase *base = NULL;
    ScoresheetReader *reader = NULL;
    ScoresheetGame *game = scoresheet_game_new();
    ScoresheetReport *report = NULL;
    uint64_t count = 0;
    cut(in(folder, "plain.pgn.gz"), path, 40);
    CHECK(scoresheet_base_open(path, NULL, &base, NULL) == SCORESHEET_STATUS_OK);
    CHECK(scoresheet_base_count(base, &count, NULL) == SCORESHEET_STATUS_BROKEN);
    CHECK(count > 0 && count <= 6);
    CHECK(scoresheet_base_index(base, NULL, NULL, NULL) == SCORESHEET_STATUS_BROKEN);
    CHECK(scoresheet_reader_new(base, &reader, NULL) == SCORESHEET_STATUS_OK);
    CHECK(scoresheet_reader_game(reader, 0, game, NULL) == SCORESHEET_STATUS_OK);
    CHECK(scoresheet_reader_game(reader, count - 1, game, NULL) == SCORESHEET_STATUS_DAMAGED);
    CHECK(scoresheet_check(base, 9, NULL, NULL, &report, NULL) == SCORESHEET_STATUS_OK);
    CHECK(!scoresheet_report_counts(report).is_sound);
    scoresheet_report_free(report);
    scoresheet_game_free(game);
    scoresheet_reader_free(reader);
    scoresheet_base_free(base);
}

static void base_in_memory_is_read_like_its_file(void) {
    static const char *const NAMES[] = {"pgn/many_games/base.pgn", "scid/plain/base.si4"};
    static uint8_t bytes[1 << 16];
    ScoresheetBase *base = NULL;
    ScoresheetReader *reader = NULL;
    ScoresheetGame *game = scoresheet_game_new();
    ScoresheetOptions *options = scoresheet_options_new();
    uint64_t count = 0;
    FILE *file = fopen(in(fixtures, NAMES[0]), "rb");
    CHECK(file != NULL);
    size_t length = file == NULL ? 0 : fread(bytes, 1, sizeof bytes, file);
    if (file != NULL) {
        fclose(file);
    }
    CHECK(scoresheet_base_open_bytes("x.pgn", bytes, length, NULL, &base, NULL) ==
          SCORESHEET_STATUS_OK);
    /* The bytes were copied. */
    memset(bytes, 0, sizeof bytes);
    CHECK(scoresheet_base_count(base, &count, NULL) == SCORESHEET_STATUS_OK && count == 60);
    CHECK(scoresheet_reader_new(base, &reader, NULL) == SCORESHEET_STATUS_OK);
    CHECK(scoresheet_reader_game(reader, 59, game, NULL) == SCORESHEET_STATUS_OK);
    scoresheet_reader_free(reader);
    scoresheet_base_free(base);
    /* One file of a base of several. */
    file = fopen(in(fixtures, NAMES[1]), "rb");
    CHECK(file != NULL);
    length = file == NULL ? 0 : fread(bytes, 1, sizeof bytes, file);
    if (file != NULL) {
        fclose(file);
    }
    CHECK(scoresheet_base_open_bytes("x.si4", bytes, length, NULL, &base, NULL) !=
          SCORESHEET_STATUS_OK);
    CHECK(base == NULL);
    CHECK(scoresheet_base_open_bytes("x.pgn", NULL, 5, NULL, &base, NULL) ==
          SCORESHEET_STATUS_BAD_ARGUMENT);
    CHECK(scoresheet_base_open_bytes(NULL, bytes, 5, NULL, &base, NULL) ==
          SCORESHEET_STATUS_BAD_ARGUMENT);
    CHECK(scoresheet_options_set(options, "format", "pgn", NULL) == SCORESHEET_STATUS_OK);
    CHECK(scoresheet_base_open_bytes("x.pgn", bytes, 5, options, &base, NULL) ==
          SCORESHEET_STATUS_BAD_ARGUMENT);
    scoresheet_options_free(options);
    scoresheet_game_free(game);
}

static void arrow_stream_without_arrow_is_unsupported(void) {
    ScoresheetBase *base = open_base("scid/plain/base.si4");
    struct ArrowArrayStream stream;
    memset(&stream, 1, sizeof stream);
    CHECK(scoresheet_base_arrow_stream(base, NULL, NULL, &stream, NULL) ==
          SCORESHEET_STATUS_UNSUPPORTED);
    CHECK(stream.release == NULL);
    scoresheet_base_free(base);
}

static void options_are_checked_where_they_are_used(void) {
    ScoresheetOptions *options = scoresheet_options_new();
    ScoresheetBase *base = NULL;
    ScoresheetError *error = NULL;
    const char *path = in(fixtures, "scid/plain/base.si4");
    static const char *const WRONG[][2] = {
        {"format", "chess"}, {"encoding", "latin"}, {"strict", "maybe"},
        {"max-unpacked", "-1"}, {"threads", "many"}, {"no-such-option", "1"},
    };
    for (size_t index = 0; index < sizeof WRONG / sizeof WRONG[0]; index++) {
        scoresheet_options_free(options);
        options = scoresheet_options_new();
        CHECK(scoresheet_options_set(options, WRONG[index][0], WRONG[index][1], NULL) ==
              SCORESHEET_STATUS_OK);
        CHECK(scoresheet_base_open(path, options, &base, &error) ==
              SCORESHEET_STATUS_BAD_ARGUMENT);
        CHECK(base == NULL && scoresheet_error_message(error).length > 0);
        scoresheet_error_free(error);
    }
    CHECK(scoresheet_options_set(options, NULL, "x", NULL) == SCORESHEET_STATUS_BAD_ARGUMENT);
    CHECK(scoresheet_options_set(options, "x", "\xc3", NULL) == SCORESHEET_STATUS_BAD_ARGUMENT);
    scoresheet_options_free(options);
    options = scoresheet_options_new();
    CHECK(scoresheet_options_set(options, "format", "si4", NULL) == SCORESHEET_STATUS_OK);
    CHECK(scoresheet_options_set(options, "threads", "1", NULL) == SCORESHEET_STATUS_OK);
    CHECK(scoresheet_options_set(options, "encoding", "windows-1252", NULL) ==
          SCORESHEET_STATUS_OK);
    CHECK(scoresheet_base_open(path, options, &base, NULL) == SCORESHEET_STATUS_OK);
    scoresheet_base_free(base);
    scoresheet_options_free(options);
}

static void opening_what_is_no_base_is_error(void) {
    ScoresheetBase *base = (ScoresheetBase *)&base;
    ScoresheetError *error = NULL;
    CHECK(scoresheet_base_open(in(folder, "absent.si4"), NULL, &base, &error) ==
          SCORESHEET_STATUS_NOT_FOUND);
    CHECK(base == NULL);
    CHECK(text_has(scoresheet_error_message(error), "absent.si4: "));
    scoresheet_error_free(error);
    CHECK(scoresheet_base_open(in(fixtures, "scid/plain/case.toml"), NULL, &base, &error) ==
          SCORESHEET_STATUS_UNSUPPORTED);
    scoresheet_error_free(error);
    CHECK(scoresheet_base_open(in(fixtures, "scid/bad_magic/base.si4"), NULL, &base, NULL) !=
          SCORESHEET_STATUS_OK);
    CHECK(scoresheet_base_open("", NULL, &base, NULL) == SCORESHEET_STATUS_BAD_ARGUMENT);
    CHECK(scoresheet_base_open(folder, NULL, &base, NULL) != SCORESHEET_STATUS_OK);
}

/* NULL in place of each handle and out parameter. */
static void null_is_error_or_nothing(void) {
    const ScoresheetStatus BAD = SCORESHEET_STATUS_BAD_ARGUMENT;
    ScoresheetBase *base = open_base("scid/plain/base.si4");
    ScoresheetReader *reader = read_base(base);
    ScoresheetGame *game = scoresheet_game_new();
    ScoresheetError *error = NULL;
    ScoresheetOutput *output = NULL;
    ScoresheetSelection *selection = NULL;
    ScoresheetReport *report = NULL;
    ScoresheetFinding finding;
    const ScoresheetToken *tokens;
    ScoresheetText text;
    uint64_t number;
    size_t count;
    ScoresheetBase *none = base;
    CHECK(scoresheet_base_open(NULL, NULL, &none, &error) == BAD && none == NULL);
    CHECK(text_is(scoresheet_error_message(error), "path is NULL"));
    scoresheet_error_free(error);
    CHECK(scoresheet_base_open("x", NULL, NULL, NULL) == BAD);
    scoresheet_reader_free(reader);
    CHECK(scoresheet_base_count(NULL, &number, NULL) == BAD && number == SCORESHEET_NONE);
    CHECK(scoresheet_base_count(base, NULL, NULL) == BAD);
    CHECK(scoresheet_base_index(NULL, NULL, NULL, NULL) == BAD);
    CHECK(scoresheet_base_format(NULL).data == NULL && scoresheet_base_path(NULL).data == NULL);
    CHECK(scoresheet_base_warning_count(NULL) == 0);
    CHECK(scoresheet_base_warning_at(NULL, 0, &finding) == BAD);
    CHECK(scoresheet_base_warning_at(base, 0, &finding) == SCORESHEET_STATUS_OUT_OF_RANGE);
    CHECK(scoresheet_reader_new(NULL, &reader, NULL) == BAD && reader == NULL);
    CHECK(scoresheet_reader_new(base, NULL, NULL) == BAD);
    CHECK(scoresheet_reader_game(NULL, 0, game, NULL) == BAD);
    reader = read_base(base);
    CHECK(scoresheet_reader_game(reader, 0, NULL, NULL) == BAD);
    CHECK(scoresheet_reader_header(NULL, 0, NULL, NULL) == BAD);
    CHECK(scoresheet_game_from_pgn(NULL, "*", NULL) == BAD);
    CHECK(scoresheet_game_from_pgn(game, NULL, NULL) == BAD);
    CHECK(scoresheet_game_number(NULL) == SCORESHEET_NONE);
    CHECK(scoresheet_game_tag(NULL, "White").data == NULL);
    CHECK(scoresheet_game_tag_count(NULL) == 0 && scoresheet_game_ply_count(NULL) == 0);
    CHECK(scoresheet_game_tag_at(NULL, 0, &text, &text) == BAD);
    CHECK(scoresheet_game_pgn(NULL).data == NULL && scoresheet_game_json(NULL).data == NULL);
    CHECK(scoresheet_game_fen(NULL).data == NULL && !scoresheet_game_is_chess960(NULL));
    CHECK(scoresheet_game_fen_after(NULL, 0, &text, NULL) == BAD);
    CHECK(scoresheet_game_fen_after(game, 0, NULL, NULL) == BAD);
    CHECK(scoresheet_game_tokens(NULL, &tokens, &count, NULL) == BAD);
    CHECK(tokens == NULL && count == 0);
    CHECK(scoresheet_game_tokens(game, NULL, &count, NULL) == BAD);
    CHECK(scoresheet_game_comment(NULL, 0).data == NULL);
    CHECK(scoresheet_game_san(NULL, 0).data == NULL && scoresheet_game_uci(NULL, 0).data == NULL);
    CHECK(scoresheet_game_warning_count(NULL) == 0);
    CHECK(scoresheet_game_warning_at(NULL, 0, &finding) == BAD);
    CHECK(scoresheet_filter_add(NULL, "player", "x", NULL) == BAD);
    CHECK(scoresheet_filter_add_word(NULL, "player=x", NULL) == BAD);
    CHECK(scoresheet_filter_only_games(NULL, NULL, 0, NULL) == BAD);
    CHECK(scoresheet_options_set(NULL, "a", "b", NULL) == BAD);
    CHECK(scoresheet_select(NULL, NULL, NULL, NULL, &selection, NULL) == BAD);
    CHECK(scoresheet_select(base, NULL, NULL, NULL, NULL, NULL) == BAD);
    CHECK(scoresheet_selection_count(NULL) == 0 && scoresheet_selection_numbers(NULL) == NULL);
    CHECK(scoresheet_selection_at(NULL, 0) == SCORESHEET_NONE);
    CHECK(scoresheet_selection_undecided(NULL) == 0);
    CHECK(scoresheet_check(NULL, 0, NULL, NULL, &report, NULL) == BAD);
    CHECK(scoresheet_report_counts(NULL).games == 0 && scoresheet_report_finding_count(NULL) == 0);
    CHECK(scoresheet_report_finding_at(NULL, 0, &finding) == BAD);
    CHECK(scoresheet_output_create(NULL, NULL, &output, NULL) == BAD && output == NULL);
    CHECK(scoresheet_output_add(NULL, base, NULL, NULL, NULL, NULL) == BAD);
    CHECK(scoresheet_output_write(NULL, game, NULL) == BAD);
    CHECK(scoresheet_output_finish(NULL, NULL, NULL) == BAD);
    CHECK(scoresheet_output_summary(NULL).read == 0 && scoresheet_output_loss_count(NULL) == 0);
    CHECK(scoresheet_output_loss_at(NULL, 0, &text, &number) == BAD);
    CHECK(scoresheet_convert(NULL, "x.pgn", NULL, NULL, NULL, NULL, NULL, NULL) == BAD);
    CHECK(scoresheet_convert(base, NULL, NULL, NULL, NULL, NULL, NULL, NULL) == BAD);
    CHECK(scoresheet_error_status(NULL) == SCORESHEET_STATUS_OK);
    CHECK(scoresheet_error_message(NULL).data == NULL && scoresheet_error_file(NULL).data == NULL);
    CHECK(scoresheet_error_part(NULL).data == NULL);
    CHECK(scoresheet_error_place(NULL).game == SCORESHEET_NONE);
    scoresheet_error_free(NULL);
    scoresheet_options_free(NULL);
    scoresheet_filter_free(NULL);
    scoresheet_selection_free(NULL);
    scoresheet_report_free(NULL);
    scoresheet_output_free(NULL);
    scoresheet_game_free(NULL);
    scoresheet_reader_free(NULL);
    scoresheet_base_free(NULL);
    scoresheet_game_free(game);
    scoresheet_reader_free(reader);
    scoresheet_base_free(base);
}

int main(int count, char **words) {
    if (count != 3) {
        fprintf(stderr, "usage: %s FIXTURES EMPTY_FOLDER\n", words[0]);
        return 2;
    }
    fixtures = words[1];
    folder = words[2];
    versions_match_header();
    formats_and_filter_names_are_listed();
    header_of_each_game_has_tags();
    game_outlives_reader_and_base();
    tokens_follow_pgn_order();
    damaged_game_keeps_moves_before_damage();
    check_counts_and_places_findings();
    filters_select_games();
    position_search_finds_transposed_games();
    conversion_tells_progress_and_losses();
    cancelled_conversion_writes_nothing();
    output_freed_unfinished_leaves_nothing();
    text_has_games_by_number();
    compressed_text_cut_short_has_games_before_cut();
    threads_share_one_base();
    callback_may_use_base_of_call();
    base_in_memory_is_read_like_its_file();
    arrow_stream_without_arrow_is_unsupported();
    options_are_checked_where_they_are_used();
    opening_what_is_no_base_is_error();
    null_is_error_or_nothing();
    return finish_checks("interface");
}
