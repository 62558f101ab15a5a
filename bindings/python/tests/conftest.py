import json
import tomllib
from pathlib import Path

import pytest

import scoresheet

ROOT = Path(__file__).resolve().parents[3]
FIXTURES = ROOT / "fixtures"


class Case:
    """A folder of fixtures."""

    def __init__(self, folder):
        self.folder = folder
        self.meta = tomllib.loads((folder / "case.toml").read_text())
        self.encoding = self.meta.get("encoding")

    @property
    def path(self):
        if "open" in self.meta:
            return self.folder / self.meta["open"]
        known = {f["name"]: f for f in scoresheet.formats()}
        first = known[self.meta["format"]]["extensions"][0]
        files = [f for f in self.folder.iterdir() if f.stem.lower() == "base"]
        return next(f for f in files if f.suffix.lower() == f".{first}")

    @property
    def expected(self):
        lines = (self.folder / "expected.jsonl").read_text().splitlines()
        return [json.loads(line) for line in lines]


def all_cases():
    known = {f["name"] for f in scoresheet.formats()}
    cases = []
    for meta in sorted(FIXTURES.glob("*/*/case.toml")):
        case = Case(meta.parent)
        sound = not meta.parent.name.startswith("bad_")
        if sound and case.meta["format"] in known:
            cases.append(case)
    assert len(cases) > 50, "fixtures are missing"
    return cases


CASES = all_cases()


@pytest.fixture(params=CASES, ids=lambda case: f"{case.folder.parent.name}/{case.folder.name}")
def case(request):
    return request.param


GAMES = """[Event "A"]
[Site "?"]
[Date "1999.05.??"]
[Round "1"]
[White "Karpov, Anatoly"]
[Black "Kasparov, Garry"]
[Result "1-0"]
[WhiteElo "2700"]
[ECO "B90"]

1. e4 {[%clk 0:01:00] best by test} (1. d4 $1 d5 (1... Nf6 {Indian})) e5 2. Nf3 Nc6 1-0

[Event "B"]
[Site "?"]
[Date "2001.01.02"]
[Round "?"]
[White "Polgar, Judit"]
[Black "Karpov, Anatoly"]
[Result "1/2-1/2"]
[FEN "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"]
[SetUp "1"]

1. O-O O-O-O 1/2-1/2
"""


@pytest.fixture
def pgn(tmp_path):
    path = tmp_path / "games.pgn"
    path.write_text(GAMES)
    return path
