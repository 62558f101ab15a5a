/* Compares each game of the fixtures with its canonical line: fixtures LIST
 *
 * Each line of LIST has the base, its encoding or -, and the file with the lines, with tabs between. */

#include "check.h"

static char *read_file(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    char *bytes = NULL;
    *length = 0;
    if (file == NULL) {
        return NULL;
    }
    for (size_t room = 1 << 16;; room *= 2) {
        char *more = realloc(bytes, room + 1);
        if (more == NULL) {
            break;
        }
        bytes = more;
        *length += fread(bytes + *length, 1, room - *length, file);
        if (*length < room) {
            break;
        }
    }
    fclose(file);
    if (bytes != NULL) {
        bytes[*length] = 0;
    }
    return bytes;
}

/* Returns the next line and ends it with a zero byte. */
static char *next_line(char **rest) {
    char *line = *rest;
    if (line == NULL || *line == 0) {
        return NULL;
    }
    char *end = strchr(line, '\n');
    if (end != NULL) {
        *end = 0;
        *rest = end + 1;
    } else {
        *rest = line + strlen(line);
    }
    return line;
}

/* Variations are balanced, and each move has its texts. */
static void check_tokens(ScoresheetGame *game) {
    const ScoresheetToken *tokens = NULL;
    size_t count = 0, comments = 0, depth = 0;
    CHECK(scoresheet_game_tokens(game, &tokens, &count, NULL) == SCORESHEET_STATUS_OK);
    for (size_t index = 0; index < count; index++) {
        const ScoresheetToken *token = &tokens[index];
        CHECK(token->reserved[0] == 0 && token->reserved[1] == 0 && token->reserved[2] == 0);
        switch (token->kind) {
        case SCORESHEET_TOKEN_KIND_MOVE:
            CHECK(token->from < 64 && token->to < 64 && token->castling < 3);
            CHECK(scoresheet_game_san(game, index).length >= 2);
            CHECK(scoresheet_game_uci(game, index).length >= 4);
            break;
        case SCORESHEET_TOKEN_KIND_COMMENT:
            CHECK(token->value == comments);
            CHECK(scoresheet_game_comment(game, token->value).data != NULL);
            comments++;
            break;
        case SCORESHEET_TOKEN_KIND_VARIATION_START:
            depth++;
            break;
        case SCORESHEET_TOKEN_KIND_VARIATION_END:
            CHECK(depth > 0);
            depth--;
            break;
        case SCORESHEET_TOKEN_KIND_NAG:
            break;
        default:
            CHECK(0);
        }
    }
    CHECK(depth == 0);
}

/* A damaged game is in the line behind its error. */
static int line_has(const char *line, ScoresheetText json, int damaged) {
    if (!damaged) {
        return text_is(json, line);
    }
    return strncmp(line, "{\"error\":", 9) == 0 && strstr(line, json.data) != NULL;
}

static unsigned long compare(const char *path, const char *encoding, char *lines) {
    ScoresheetBase *base = NULL;
    ScoresheetReader *reader = NULL;
    ScoresheetError *error = NULL;
    ScoresheetOptions *options = scoresheet_options_new();
    ScoresheetGame *game = scoresheet_game_new();
    uint64_t count = 0, number = 0;
    if (strcmp(encoding, "-") != 0) {
        scoresheet_options_set(options, "encoding", encoding, NULL);
    }
    ScoresheetStatus opened = scoresheet_base_open(path, options, &base, &error);
    if (opened != SCORESHEET_STATUS_OK) {
        /* The fixture is a base that cannot be opened: its only line is the error. */
        char *line = next_line(&lines);
        int told = line != NULL && strncmp(line, "{\"error\":", 9) == 0 && next_line(&lines) == NULL;
        CHECK(base == NULL && told);
        if (!told) {
            failed(error, path);
        } else {
            scoresheet_error_free(error);
        }
    } else {
        ScoresheetStatus counted = scoresheet_base_count(base, &count, NULL);
        CHECK(counted == SCORESHEET_STATUS_OK || counted == SCORESHEET_STATUS_BROKEN);
        CHECK(scoresheet_reader_new(base, &reader, NULL) == SCORESHEET_STATUS_OK);
        for (; number < count; number++) {
            char *line = next_line(&lines);
            CHECK(line != NULL);
            if (line == NULL) {
                break;
            }
            ScoresheetStatus status = scoresheet_reader_game(reader, number, game, NULL);
            int damaged = status == SCORESHEET_STATUS_DAMAGED;
            CHECK(damaged || status == SCORESHEET_STATUS_OK);
            int same = line_has(line, scoresheet_game_json(game), damaged);
            CHECK(same);
            if (!same) {
                fprintf(stderr, "%s: game %lu\n", path, (unsigned long)number);
            }
            check_tokens(game);
            CHECK(scoresheet_game_pgn(game).length > 0);
            ScoresheetStatus header = scoresheet_reader_header(reader, number, game, NULL);
            CHECK(header == SCORESHEET_STATUS_OK || header == SCORESHEET_STATUS_DAMAGED);
        }
        /* An error of the whole text is a line of its own. */
        char *rest = next_line(&lines);
        CHECK(rest == NULL || (counted == SCORESHEET_STATUS_BROKEN && next_line(&lines) == NULL));
    }
    scoresheet_game_free(game);
    scoresheet_reader_free(reader);
    scoresheet_base_free(base);
    scoresheet_options_free(options);
    return (unsigned long)number;
}

int main(int count, char **words) {
    size_t length;
    unsigned long bases = 0, games = 0;
    char *list = count == 2 ? read_file(words[1], &length) : NULL;
    if (list == NULL) {
        fprintf(stderr, "usage: %s LIST\n", words[0]);
        return 2;
    }
    char *rest = list;
    for (char *line = next_line(&rest); line != NULL; line = next_line(&rest)) {
        char *encoding = strchr(line, '\t');
        char *expected = encoding != NULL ? strchr(encoding + 1, '\t') : NULL;
        if (expected == NULL) {
            CHECK(expected != NULL);
            break;
        }
        *encoding++ = 0;
        *expected++ = 0;
        char *lines = read_file(expected, &length);
        CHECK(lines != NULL);
        if (lines != NULL) {
            games += compare(line, encoding, lines);
            bases++;
        }
        free(lines);
    }
    free(list);
    CHECK(bases > 100 && games > bases);
    printf("%lu bases, %lu games\n", bases, games);
    return finish_checks("fixtures");
}
