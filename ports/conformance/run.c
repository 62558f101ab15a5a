/* Runs a port over the cases of the bundle, by manifest.tsv. (README.md) Needs a POSIX system.
 *
 *     cc -o run run.c
 *     ./run                              are the expected lines of the bundle intact?
 *     ./run FORMAT|all PORT [WORD ...]   does `PORT WORD ... FILE [--encoding E] [--option O]` print the lines?
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads the next line without its line feed, or NULL at the end. */
static char *next(FILE *in) {
    static char *lines[2];
    static size_t sizes[2];
    static int turn;
    turn = !turn; /* two lines are compared at a time */
    long length = (long)getline(&lines[turn], &sizes[turn], in);
    if (length > 0 && lines[turn][length - 1] == '\n') lines[turn][length - 1] = 0;
    return length < 0 ? NULL : lines[turn];
}

/* A line with "error" asks for an error in words of your own. */
static const char *without_wording(const char *line) {
    const char *game = strncmp(line, "{\"error\":\"", 10) ? NULL : strstr(line, "\",\"game\":");
    return game ? game : line;
}

static int same(FILE *got, FILE *lines) {
    for (;;) {
        const char *a = next(got), *b = next(lines);
        if (!a || !b) return a == b;
        int both = (strncmp(a, "{\"error\"", 8) == 0) == (strncmp(b, "{\"error\"", 8) == 0);
        if (!both || strcmp(without_wording(a), without_wording(b))) return 0;
    }
}

static int intact(FILE *in, const char *sum) {
    unsigned crc = ~0u;
    for (int c; (c = getc(in)) != EOF;) {
        crc ^= (unsigned)c;
        for (int bit = 0; bit < 8; bit++) crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
    }
    rewind(in);
    return ~crc == strtoul(sum, NULL, 16);
}

/* Appends a word to a command of the shell. */
static void word(char *command, size_t size, const char *text) {
    size_t at = strlen(command);
    snprintf(command + at, size - at, " '%s'", text);
}

int main(int count, char **words) {
    const char *wanted = count > 1 ? words[1] : "all";
    FILE *manifest = fopen("manifest.tsv", "r");
    char row[4096], path[8192], command[32768];
    int passed = 0, failed = 0;
    if (!manifest || !fgets(row, sizeof row, manifest)) return puts("start it in the folder of manifest.tsv"), 2;
    while (fgets(row, sizeof row, manifest)) {
        char *cells[7], *rest = row; /* case, open, encoding, option, lines, games, crc32 */
        for (int n = 0; n < 7; n++) {
            cells[n] = rest;
            rest += strcspn(rest, "\t\n");
            if (*rest) *rest++ = 0;
        }
        size_t family = strcspn(cells[0], "/");
        if (strcmp(wanted, "all") && (strncmp(wanted, cells[0], family) || wanted[family])) continue;
        snprintf(path, sizeof path, "fixtures/%s/%s", cells[0], cells[4]);
        FILE *lines = fopen(path, "r");
        int good = lines && intact(lines, cells[6]);
        if (good && count > 2) {
            command[0] = 0;
            for (int n = 2; n < count; n++) word(command, sizeof command, words[n]);
            snprintf(path, sizeof path, "fixtures/%s/%s", cells[0], cells[1]);
            word(command, sizeof command, path);
            if (*cells[2]) word(command, sizeof command, "--encoding"), word(command, sizeof command, cells[2]);
            if (*cells[3]) word(command, sizeof command, "--option"), word(command, sizeof command, cells[3]);
            snprintf(command + strlen(command), sizeof command - strlen(command), " 2>/dev/null");
            FILE *got = popen(command, "r");
            good = got && same(got, lines);
            if (got) pclose(got);
        }
        if (lines) fclose(lines);
        good ? passed++ : failed++;
        if (!good) printf("differs: %s %s\n", cells[0], cells[4]);
    }
    printf("%d passed, %d failed\n", passed, failed);
    return failed > 0 || passed == 0;
}
