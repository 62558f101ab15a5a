/* Counts the games of bases.
 *
 *     $ count fixtures/scid/plain/base.si4 fixtures/pgn/many_games/base.pgn
 *     fixtures/scid/plain/base.si4: 6 games (si4)
 *     fixtures/pgn/many_games/base.pgn: 60 games (pgn)
 */

#include <inttypes.h>
#include <stdio.h>

#include <scoresheet/scoresheet.h>

static int count_games(const char *path) {
    ScoresheetBase *base = NULL;
    ScoresheetError *error = NULL;
    uint64_t count = 0;
    ScoresheetStatus status = scoresheet_base_open(path, NULL, &base, &error);
    if (status == SCORESHEET_STATUS_OK) {
        status = scoresheet_base_count(base, &count, &error);
    }
    if (status == SCORESHEET_STATUS_OK) {
        printf("%s: %" PRIu64 " games (%s)\n", path, count, scoresheet_base_format(base).data);
    } else {
        fprintf(stderr, "%s\n", scoresheet_error_message(error).data);
    }
    scoresheet_error_free(error);
    scoresheet_base_free(base);
    return status == SCORESHEET_STATUS_OK ? 0 : 1;
}

int main(int count, char **words) {
    int failed = 0;
    if (scoresheet_abi_version() != SCORESHEET_ABI_VERSION) {
        fprintf(stderr, "libscoresheet %s has another interface\n", scoresheet_version());
        return 1;
    }
    for (int index = 1; index < count; index++) {
        failed |= count_games(words[index]);
    }
    return failed;
}
