/* Converts a base, shows progress, and stops when Ctrl-C is pressed. Then nothing is written.
 *
 *     $ convert fixtures/scid/plain/base.si4 OUT.cbf player=alder
 *     6 of 6
 *     6 games read, 2 written, 2 with losses
 */

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>

#include <scoresheet/scoresheet.h>

static volatile sig_atomic_t interrupted = 0;

static void interrupt(int number) {
    (void)number;
    interrupted = 1;
}

static int show_progress(void *context, uint64_t done, uint64_t total) {
    FILE *out = context;
    if (total == SCORESHEET_NONE) {
        fprintf(out, "%" PRIu64 "\n", done);
    } else {
        fprintf(out, "%" PRIu64 " of %" PRIu64 "\n", done, total);
    }
    return interrupted;
}

int main(int count, char **words) {
    ScoresheetBase *base = NULL;
    ScoresheetError *error = NULL;
    ScoresheetSummary summary;
    if (count < 3) {
        fprintf(stderr, "usage: %s BASE OUTPUT [NAME=VALUE...]\n", words[0]);
        return 2;
    }
    signal(SIGINT, interrupt);
    ScoresheetFilter *filter = scoresheet_filter_new();
    ScoresheetStatus status = scoresheet_base_open(words[1], NULL, &base, &error);
    for (int index = 3; status == SCORESHEET_STATUS_OK && index < count; index++) {
        status = scoresheet_filter_add_word(filter, words[index], &error);
    }
    if (status == SCORESHEET_STATUS_OK) {
        status = scoresheet_convert(base, words[2], NULL, filter, show_progress, stdout, &summary,
                                    &error);
    }
    if (status == SCORESHEET_STATUS_OK) {
        printf("%" PRIu64 " games read, %" PRIu64 " written, %" PRIu64 " with losses\n",
               summary.read, summary.written, summary.lossy);
    } else {
        fprintf(stderr, "%s\n", scoresheet_error_message(error).data);
    }
    scoresheet_error_free(error);
    scoresheet_filter_free(filter);
    scoresheet_base_free(base);
    return status == SCORESHEET_STATUS_OK ? 0 : 1;
}
