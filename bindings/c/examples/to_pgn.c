/* Prints one game as PGN. Games count from one here. A damaged game is printed up to the damage.
 *
 *     $ to_pgn fixtures/scid/plain/base.si4 3
 *     [Event "?"]
 *     [Site "?"]
 *     [Date "????.??.??"]
 *     [Round "?"]
 *     [White "Shortest"]
 *     [Black "Possible"]
 *     [Result "0-1"]
 *
 *     1. f3 e5 2. g4 Qh4# 0-1
 */

#include <stdio.h>
#include <stdlib.h>

#include <scoresheet/scoresheet.h>

int main(int count, char **words) {
    ScoresheetBase *base = NULL;
    ScoresheetReader *reader = NULL;
    ScoresheetError *error = NULL;
    if (count != 3) {
        fprintf(stderr, "usage: %s BASE NUMBER\n", words[0]);
        return 2;
    }
    uint64_t number = strtoull(words[2], NULL, 10) - 1;
    ScoresheetGame *game = scoresheet_game_new();
    ScoresheetStatus status = scoresheet_base_open(words[1], NULL, &base, &error);
    if (status == SCORESHEET_STATUS_OK) {
        status = scoresheet_reader_new(base, &reader, &error);
    }
    if (status == SCORESHEET_STATUS_OK) {
        status = scoresheet_reader_game(reader, number, game, &error);
    }
    if (status == SCORESHEET_STATUS_OK || status == SCORESHEET_STATUS_DAMAGED) {
        ScoresheetText pgn = scoresheet_game_pgn(game);
        fwrite(pgn.data, 1, pgn.length, stdout);
    }
    if (status != SCORESHEET_STATUS_OK) {
        ScoresheetPlace place = scoresheet_error_place(error);
        fprintf(stderr, "%s\n", scoresheet_error_message(error).data);
        if (place.offset != SCORESHEET_NONE) {
            fprintf(stderr, "the damage is at byte %llu\n", (unsigned long long)place.offset);
        }
    }
    scoresheet_error_free(error);
    scoresheet_game_free(game);
    scoresheet_reader_free(reader);
    scoresheet_base_free(base);
    return status == SCORESHEET_STATUS_OK ? 0 : 1;
}
