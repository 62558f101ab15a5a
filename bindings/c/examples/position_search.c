/* Finds the games with a position. Missing fields of the FEN may be anything.
 *
 *     $ position_search fixtures/scid/plain/base.si4 "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b"
 *     1  Alder, Nora - Birch, Tom
 *     2  Morphy, Paul - Duke and Count
 *     2 games
 */

#include <inttypes.h>
#include <stdio.h>

#include <scoresheet/scoresheet.h>

static ScoresheetStatus print_games(const ScoresheetBase *base, const ScoresheetFilter *filter,
                                    ScoresheetGame *game, ScoresheetError **error) {
    ScoresheetSelection *selection = NULL;
    ScoresheetReader *reader = NULL;
    ScoresheetStatus status = scoresheet_select(base, filter, NULL, NULL, &selection, error);
    if (status == SCORESHEET_STATUS_OK) {
        status = scoresheet_reader_new(base, &reader, error);
    }
    size_t count = scoresheet_selection_count(selection);
    for (size_t index = 0; status == SCORESHEET_STATUS_OK && index < count; index++) {
        uint64_t number = scoresheet_selection_at(selection, index);
        status = scoresheet_reader_header(reader, number, game, error);
        if (status == SCORESHEET_STATUS_OK) {
            printf("%" PRIu64 "  %s - %s\n", number + 1, scoresheet_game_tag(game, "White").data,
                   scoresheet_game_tag(game, "Black").data);
        }
    }
    if (status == SCORESHEET_STATUS_OK) {
        printf("%zu games\n", count);
    }
    scoresheet_reader_free(reader);
    scoresheet_selection_free(selection);
    return status;
}

int main(int count, char **words) {
    ScoresheetBase *base = NULL;
    ScoresheetError *error = NULL;
    if (count != 3) {
        fprintf(stderr, "usage: %s BASE FEN\n", words[0]);
        return 2;
    }
    ScoresheetFilter *filter = scoresheet_filter_new();
    ScoresheetGame *game = scoresheet_game_new();
    ScoresheetStatus status = scoresheet_filter_add(filter, "position", words[2], &error);
    if (status == SCORESHEET_STATUS_OK) {
        status = scoresheet_base_open(words[1], NULL, &base, &error);
    }
    if (status == SCORESHEET_STATUS_OK) {
        status = print_games(base, filter, game, &error);
    }
    if (status != SCORESHEET_STATUS_OK) {
        fprintf(stderr, "%s\n", scoresheet_error_message(error).data);
    }
    scoresheet_error_free(error);
    scoresheet_game_free(game);
    scoresheet_base_free(base);
    scoresheet_filter_free(filter);
    return status == SCORESHEET_STATUS_OK ? 0 : 1;
}
