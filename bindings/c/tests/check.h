/* Assertions for the tests of the C interface. */

#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <scoresheet/scoresheet.h>

static unsigned long checks_made = 0;
static unsigned long checks_failed = 0;

static inline void check_that(int holds, const char *what, const char *file, int line) {
    checks_made++;
    if (!holds) {
        checks_failed++;
        fprintf(stderr, "%s:%d: failed: %s\n", file, line, what);
    }
}

#define CHECK(condition) check_that((condition) != 0, #condition, __FILE__, __LINE__)

/* A text equals a string, without a zero byte inside, and ends with a zero byte. */
static inline int text_is(ScoresheetText text, const char *expected) {
    return text.data != NULL && text.length == strlen(expected) &&
           memcmp(text.data, expected, text.length + 1) == 0;
}

static inline int text_has(ScoresheetText text, const char *part) {
    return text.data != NULL && strstr(text.data, part) != NULL;
}

/* Prints an error that no test expects, and frees it. */
static inline int failed(ScoresheetError *error, const char *what) {
    if (error == NULL) {
        return 0;
    }
    fprintf(stderr, "%s: %s: %s\n", what,
            scoresheet_status_name((int32_t)scoresheet_error_status(error)),
            scoresheet_error_message(error).data);
    scoresheet_error_free(error);
    return 1;
}

static inline int finish_checks(const char *name) {
    printf("%s: %lu checks, %lu failed\n", name, checks_made, checks_failed);
    return checks_failed == 0 ? 0 : 1;
}

#endif
