/* Tests of the Arrow C stream over the fixtures: arrow FIXTURES
 *
 * Needs a library that was compiled with the feature arrow. */

#include "check.h"

static const char *fixtures;

static ScoresheetBase *open_base(const char *name) {
    static char path[4096];
    ScoresheetBase *base = NULL;
    ScoresheetError *error = NULL;
    snprintf(path, sizeof path, "%s/%s", fixtures, name);
    CHECK(scoresheet_base_open(path, NULL, &base, &error) == SCORESHEET_STATUS_OK);
    CHECK(!failed(error, name));
    return base;
}

/* Returns the text of a row of a column of format "u". */
static ScoresheetText text_at(const struct ArrowArray *column, int64_t row) {
    const int32_t *ends = (const int32_t *)column->buffers[1] + column->offset + row;
    ScoresheetText text = {(const char *)column->buffers[2] + ends[0], (size_t)(ends[1] - ends[0])};
    return text;
}

static int is_null(const struct ArrowArray *column, int64_t row) {
    const uint8_t *valid = column->buffers[0];
    int64_t bit = column->offset + row;
    return valid != NULL && ((valid[bit / 8] >> (bit % 8)) & 1) == 0;
}

static void rows_equal_games_of_reader(void) {
    ScoresheetBase *base = open_base("pgn/many_games/base.pgn");
    ScoresheetReader *reader = NULL;
    ScoresheetGame *game = scoresheet_game_new();
    ScoresheetOptions *options = scoresheet_options_new();
    ScoresheetError *error = NULL;
    struct ArrowArrayStream stream;
    struct ArrowSchema schema;
    struct ArrowArray batch;
    uint64_t number = 0, wrong = 0;
    CHECK(scoresheet_options_set(options, "columns", "White,plies", NULL) == SCORESHEET_STATUS_OK);
    CHECK(scoresheet_options_set(options, "batch-rows", "7", NULL) == SCORESHEET_STATUS_OK);
    CHECK(scoresheet_base_arrow_stream(base, NULL, options, &stream, &error) == SCORESHEET_STATUS_OK);
    CHECK(!failed(error, "stream"));
    CHECK(scoresheet_reader_new(base, &reader, NULL) == SCORESHEET_STATUS_OK);
    scoresheet_options_free(options);
    scoresheet_base_free(base);
    CHECK(stream.get_schema(&stream, &schema) == 0);
    CHECK(strcmp(schema.format, "+s") == 0 && schema.n_children == 2);
    CHECK(strcmp(schema.children[0]->name, "White") == 0);
    CHECK(strcmp(schema.children[0]->format, "u") == 0);
    CHECK((schema.children[0]->flags & ARROW_FLAG_NULLABLE) != 0);
    CHECK(strcmp(schema.children[1]->name, "plies") == 0);
    CHECK(strcmp(schema.children[1]->format, "i") == 0);
    schema.release(&schema);
    for (;;) {
        CHECK(stream.get_next(&stream, &batch) == 0);
        if (batch.release == NULL) {
            break;
        }
        const struct ArrowArray *white = batch.children[0], *plies = batch.children[1];
        for (int64_t row = 0; row < batch.length; row++, number++) {
            ScoresheetText text = text_at(white, row);
            int32_t count = ((const int32_t *)plies->buffers[1])[plies->offset + row];
            CHECK(scoresheet_reader_game(reader, number, game, NULL) == SCORESHEET_STATUS_OK);
            ScoresheetText tag = scoresheet_game_tag(game, "White");
            int same = is_null(white, row) ? tag.length == 0 || strcmp(tag.data, "?") == 0
                                           : tag.length == text.length &&
                                                 memcmp(tag.data, text.data, tag.length) == 0;
            wrong += !same || (uint32_t)count != scoresheet_game_ply_count(game);
        }
        batch.release(&batch);
    }
    CHECK(number == 60 && wrong == 0);
    CHECK(stream.get_last_error(&stream) == NULL);
    stream.release(&stream);
    CHECK(stream.release == NULL);
    scoresheet_reader_free(reader);
    scoresheet_game_free(game);
}

static void rows_of_half_moves_are_those_of_filter(void) {
    ScoresheetBase *base = open_base("pgn/many_games/base.pgn");
    ScoresheetFilter *filter = scoresheet_filter_new();
    ScoresheetOptions *options = scoresheet_options_new();
    struct ArrowArrayStream stream;
    struct ArrowArray batch;
    int64_t rows = 0;
    CHECK(scoresheet_filter_add_word(filter, "games=11..15", NULL) == SCORESHEET_STATUS_OK);
    CHECK(scoresheet_options_set(options, "rows", "plies", NULL) == SCORESHEET_STATUS_OK);
    CHECK(scoresheet_options_set(options, "max-ply", "1", NULL) == SCORESHEET_STATUS_OK);
    CHECK(scoresheet_base_arrow_stream(base, filter, options, &stream, NULL) ==
          SCORESHEET_STATUS_OK);
    scoresheet_filter_free(filter);
    scoresheet_options_free(options);
    while (stream.get_next(&stream, &batch) == 0 && batch.release != NULL) {
        rows += batch.length;
        batch.release(&batch);
    }
    CHECK(rows == 5);
    stream.release(&stream);
    scoresheet_base_free(base);
}

static void stream_released_early_or_unread_stops(void) {
    ScoresheetBase *base = open_base("pgn/many_games/base.pgn");
    ScoresheetOptions *options = scoresheet_options_new();
    struct ArrowArrayStream stream;
    struct ArrowArray batch;
    CHECK(scoresheet_options_set(options, "batch-rows", "1", NULL) == SCORESHEET_STATUS_OK);
    CHECK(scoresheet_base_arrow_stream(base, NULL, options, &stream, NULL) == SCORESHEET_STATUS_OK);
    CHECK(stream.get_next(&stream, &batch) == 0 && batch.length > 0);
    stream.release(&stream);
    /* A batch does not need its stream. */
    CHECK(batch.n_children > 20);
    batch.release(&batch);
    CHECK(scoresheet_base_arrow_stream(base, NULL, options, &stream, NULL) == SCORESHEET_STATUS_OK);
    stream.release(&stream);
    scoresheet_options_free(options);
    scoresheet_base_free(base);
}

static void strict_stream_of_damaged_game_is_error(void) {
    ScoresheetBase *base = open_base("scid/bad_move/base.si4");
    ScoresheetOptions *options = scoresheet_options_new();
    struct ArrowArrayStream stream;
    struct ArrowArray batch;
    int status;
    CHECK(scoresheet_options_set(options, "strict", "yes", NULL) == SCORESHEET_STATUS_OK);
    CHECK(scoresheet_base_arrow_stream(base, NULL, options, &stream, NULL) == SCORESHEET_STATUS_OK);
    while ((status = stream.get_next(&stream, &batch)) == 0 && batch.release != NULL) {
        batch.release(&batch);
    }
    CHECK(status != 0);
    const char *message = stream.get_last_error(&stream);
    CHECK(message != NULL && strstr(message, "base.sg4: byte 8, game 2") != NULL);
    stream.release(&stream);
    scoresheet_options_free(options);
    scoresheet_base_free(base);
}

static void stream_of_wrong_arguments_is_error(void) {
    ScoresheetBase *base = open_base("scid/plain/base.si4");
    ScoresheetOptions *options = scoresheet_options_new();
    ScoresheetError *error = NULL;
    struct ArrowArrayStream stream;
    memset(&stream, 1, sizeof stream);
    CHECK(scoresheet_options_set(options, "columns", "Nobody", NULL) == SCORESHEET_STATUS_OK);
    CHECK(scoresheet_base_arrow_stream(base, NULL, options, &stream, &error) ==
          SCORESHEET_STATUS_BAD_ARGUMENT);
    CHECK(stream.release == NULL && text_has(scoresheet_error_message(error), "Nobody"));
    scoresheet_error_free(error);
    CHECK(scoresheet_base_arrow_stream(NULL, NULL, NULL, &stream, NULL) ==
          SCORESHEET_STATUS_BAD_ARGUMENT);
    CHECK(scoresheet_base_arrow_stream(base, NULL, NULL, NULL, NULL) ==
          SCORESHEET_STATUS_BAD_ARGUMENT);
    scoresheet_options_free(options);
    scoresheet_base_free(base);
}

int main(int count, char **words) {
    if (count < 2) {
        fprintf(stderr, "usage: arrow FIXTURES\n");
        return 2;
    }
    fixtures = words[1];
    rows_equal_games_of_reader();
    rows_of_half_moves_are_those_of_filter();
    stream_released_early_or_unread_stops();
    strict_stream_of_damaged_game_is_error();
    stream_of_wrong_arguments_is_error();
    return finish_checks("arrow");
}
