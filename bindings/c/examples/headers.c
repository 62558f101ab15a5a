/* Lists the games of a base, from its index.
 *
 *     $ headers fixtures/scid/plain/base.si4
 *     1  Alder, Nora - Birch, Tom  1/2-1/2  2019.03.14  C92
 *     2  Morphy, Paul - Duke and Count  1-0  1858.??.??  C41
 *     3  Shortest - Possible  0-1  ????.??.??
 *     4  ? - ?  *  ????.??.??
 *     5  Birch, Tom - Alder, Nora  0-1  2019.03.14
 *     6  Random, Walk - Random, Walk  1/2-1/2  2020.02.??
 */

#include <inttypes.h>
#include <stdio.h>

#include <scoresheet/scoresheet.h>

static void print_row(ScoresheetGame *game) {
    ScoresheetText eco = scoresheet_game_tag(game, "ECO");
    printf("%" PRIu64 "  %s - %s  %s  %s%s%s\n", scoresheet_game_number(game) + 1,
           scoresheet_game_tag(game, "White").data, scoresheet_game_tag(game, "Black").data,
           scoresheet_game_tag(game, "Result").data, scoresheet_game_tag(game, "Date").data,
           eco.data == NULL ? "" : "  ", eco.data == NULL ? "" : eco.data);
}

int main(int count, char **words) {
    ScoresheetBase *base = NULL;
    ScoresheetReader *reader = NULL;
    ScoresheetError *error = NULL;
    uint64_t games = 0;
    if (count != 2) {
        fprintf(stderr, "usage: %s BASE\n", words[0]);
        return 2;
    }
    ScoresheetGame *game = scoresheet_game_new();
    ScoresheetStatus status = scoresheet_base_open(words[1], NULL, &base, &error);
    if (status == SCORESHEET_STATUS_OK) {
        status = scoresheet_base_count(base, &games, &error);
    }
    if (status == SCORESHEET_STATUS_OK) {
        status = scoresheet_reader_new(base, &reader, &error);
    }
    for (uint64_t number = 0; status == SCORESHEET_STATUS_OK && number < games; number++) {
        status = scoresheet_reader_header(reader, number, game, &error);
        if (status == SCORESHEET_STATUS_OK || status == SCORESHEET_STATUS_DAMAGED) {
            print_row(game);
        }
        if (status == SCORESHEET_STATUS_DAMAGED) {
            /* One damaged entry costs no other. */
            fprintf(stderr, "%s\n", scoresheet_error_message(error).data);
            scoresheet_error_free(error);
            error = NULL;
            status = SCORESHEET_STATUS_OK;
        }
    }
    if (error != NULL) {
        fprintf(stderr, "%s\n", scoresheet_error_message(error).data);
    }
    scoresheet_error_free(error);
    scoresheet_game_free(game);
    scoresheet_reader_free(reader);
    scoresheet_base_free(base);
    return status == SCORESHEET_STATUS_OK ? 0 : 1;
}
