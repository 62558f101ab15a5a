"""Runs docs/analysis.md: both answers to each question are equal."""

import re

import duckdb
import polars as pl
import pytest

import scoresheet
from conftest import ROOT

TEXT = (ROOT / "docs/analysis.md").read_text()
SETUP = re.search(r"```python\n(.*?)```", TEXT, re.S).group(1)
QUESTIONS = re.findall(r"## (\d+)\. (.*?)\n.*?```sql\n(.*?)```\n\n```python\n(.*?)```", TEXT, re.S)

GAME = """[Event "Test"]
[White "{white}"]
[Black "{black}"]
[Result "{result}"]
[WhiteElo "{elo}"]
[BlackElo "2100"]
[ECO "{eco}"]

{moves} {result}

"""
LINES = [
    ("C60", "1. e4 {[%clk 0:01:30]} e5 {[%clk 0:00:59]} 2. Nf3 {[%clk 0:00:10]} Nc6 3. Bb5 a6 4. Bxc6"),
    ("C50", "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 (3... Nf6 4. d3 {a variation})"),
    ("C60", "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4"),
    ("B20", "1. e4 c5 2. Nf3 d6 3. d4 cxd4"),
    ("D00", "1. d4 d5 2. c4 e6"),
    ("B12", "1. e4 c6 2. d4 d5 3. e5 c5 4. dxc5 d4 5. c3 dxc3 6. Qxd8+ Kxd8 7. Nf3 cxb2 8. Be2 bxa1=Q"),
    (
        "A00",
        "1. a4 b5 2. axb5 a6 3. bxa6 Rxa6 4. Rxa6 Nxa6 5. b3 c5 6. b4 cxb4 7. c3 bxc3 8. Nxc3 d5 "
        "9. Nxd5 Qxd5 10. d4 Qxd4 11. Qxd4 e5 12. Qxe5+ Be7 13. Qxe7+ Nxe7 14. g4 Bxg4 15. f3 Bxf3 "
        "16. exf3 Nb4 17. Bb5+ Kd8 18. Bd2 Na2 19. Bc4 Nc3 20. Bxc3 Nd5 21. Bxd5 f6 22. Bxf6+ gxf6",
    ),
]


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    folder = tmp_path_factory.mktemp("analysis")
    players, results = ["Ann", "Bob", "Cy"], ["1-0", "0-1", "1/2-1/2", "*"]
    text = "".join(
        GAME.format(
            white=players[n % 3],
            black=players[(n + 1) % 3],
            result=results[n % 4],
            elo=1800 + n * 37 % 800,
            eco=LINES[n % len(LINES)][0],
            moves=LINES[n % len(LINES)][1],
        )
        for n in range(60)
    )
    pgn = folder / "games.pgn"
    pgn.write_text(text)
    base = folder / "games.si4"
    scoresheet.convert(pgn, base)
    return base


def test_questions_of_the_document_are_ten():
    assert [number for number, *_ in QUESTIONS] == [str(n) for n in range(1, 11)]


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question[1])
def test_question_sql_and_python_answers_agree(base, question):
    _, _, sql, python = question
    names = {"BASE": base}
    exec(SETUP, names)
    games, plies = names["games"], names["plies"]
    assert games and plies
    duck = duckdb.sql(sql).pl()
    exec(python, names)
    polars = names["answer"].select(duck.columns)
    assert len(duck) > 0, "the question has no answer here"

    def rows(frame):
        return sorted(frame.rows(), key=repr)

    for one, other in zip(rows(duck), rows(polars), strict=True):
        assert one == pytest.approx(other)
