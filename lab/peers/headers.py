"""Asks questions about headers by SQL over Parquet, and of the program, and prints both counts.

    python3 headers.py PROGRAM GAMES

Needs the Python package of this repository, and duckdb. GAMES is a base without `TimeControl` tags.
"""

import pathlib
import subprocess
import sys
import tempfile

import duckdb
import scoresheet

program, games = sys.argv[1:]

# A surname as SQL finds it, and a question that means the same.
PAIRS = [
    ("Carlsen", "Anand"), ("Kasparov", "Karpov"), ("Kasparov", "Kramnik"), ("Aronian", "Nakamura"),
    ("Tal", "Botvinnik"), ("Fischer", "Spassky"), ("Petrosian", "Keres"), ("Ivanchuk", "Topalov"),
    ("Caruana", "Giri"), ("Korchnoi", "Spassky"), ("Svidler", "Morozevich"), ("Gelfand", "Shirov"),
    ("Alekhine", "Capablanca"), ("Lasker", "Tarrasch"), ("Smyslov", "Bronstein"), ("Geller", "Petrosian"),
    ("Leko", "Adams"), ("Mamedyarov", "Radjabov"), ("Nepomniachtchi", "Grischuk"), ("Grischuk", "Karjakin"),
]
# Words of events. The first such word of an event decides.
WORDS = {
    "bullet": ["bullet", "ultrabullet", "hyperbullet", "lightning"],
    "blitz": ["blitz"],
    "rapid": ["rapid", "rapidplay"],
    "classical": ["classical"],
    "correspondence": ["correspondence", "corr", "iccf"],
}


def count(*options):
    command = [program, "--quiet", "list", "--count", games, *options]
    return int(subprocess.run(command, stdout=subprocess.PIPE).stdout)


with tempfile.TemporaryDirectory() as folder:
    table = str(pathlib.Path(folder) / "games.parquet")
    scoresheet.convert(games, table)
    sql = duckdb.connect()

    def asked(where):
        return sql.execute(f"SELECT count(*) FROM '{table}' WHERE {where}").fetchone()[0]

    differing = 0

    def compare(what, ours, theirs):
        global differing
        differing += ours != theirs
        print(what, ours, theirs, "" if ours == theirs else "DIFFERENT", sep="\t")

    # A surname stands before the comma, alone or among the words of a double name.
    def named(column, name):
        surname = f"regexp_replace(split_part({column}, ',', 1), '[ .]', ' ')"
        return f"list_contains(string_split_regex(lower({surname}), '[ -]'), '{name.lower()}')"

    for first, second in PAIRS:
        where = " OR ".join(
            f"({named('white', a)} AND {named('black', b)})" for a, b in [(first, second), (second, first)]
        )
        ours = count("--player", first + ",", "--against", second + ",")
        compare(f"{first} - {second}", ours, asked(where))
    every = "|".join(word for words in WORDS.values() for word in words)
    first = f"regexp_extract(lower(coalesce(event, '')), '\\b({every})\\b', 1)"
    for name, words in {**WORDS, "unknown": [""]}.items():
        listed = ", ".join(f"'{word}'" for word in words)
        compare(name, count("--time-class", name), asked(f"{first} IN ({listed})"))
    sys.exit(differing > 0)
