# %% [markdown]
# # Ten tasks
# Each cell is one task of a data scientist, with Polars. The cells check their own answers, so that this notebook
# is a test too. Jupyter with Jupytext, VS Code, PyCharm and Spyder open this file as a notebook.

# %%
import polars as pl
import scoresheet

GAMES = "games.pgn"  # any base: .pgn.zst, .si4, .cbh, .parquet, a folder
points = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}

# %% [markdown]
# ## 1. Headers as a data frame
# A table of tags alone is read without the moves, which is several times as fast.

# %%
headers = scoresheet.scan(GAMES, columns=["White", "Black", "Result", "WhiteElo", "BlackElo", "ECO", "Date"]).to_polars()
assert headers.height == 8 and headers["White"].n_unique() == 4
headers.head()

# %% [markdown]
# ## 2. White's score by opening and rating

# %%
score = (
    headers.filter(pl.col("Result") != "*")
    .group_by(opening=pl.col("ECO").str.head(1), rating=pl.col("WhiteElo") // 200 * 200)
    .agg(games=pl.len(), score=pl.col("Result").replace_strict(points).mean())
    .sort("opening", "rating")
)
assert score.filter(pl.col("opening") == "C").rows() == [("C", 1600, 1, 1.0), ("C", 1800, 3, 2 / 3)]
score

# %% [markdown]
# ## 3. Blunders in time trouble
# A blunder loses at least three pawns. `eval` is White's view after the move, and a mate counts as 100 pawns.

# %%
plies = scoresheet.scan(
    GAMES, "plies", ["game", "ply", "depth", "san", "hash", "clock", "eval", "mate", "turn", "seconds_spent"]
).to_polars()
plies = plies.filter(pl.col("depth") == 0)
sign = pl.when(pl.col("turn") == "w").then(1).otherwise(-1)
white = pl.coalesce(pl.col("eval"), pl.col("mate").sign() * 100)
judged = plies.with_columns(after=white, before=white.shift(1).over("game")).with_columns(
    loss=(sign * (pl.col("before") - pl.col("after"))).clip(lower_bound=0)
)
blunders = judged.filter(pl.col("loss") >= 3)
assert blunders.select("game", "san", "clock").rows() == [(1, "Nf6", 24.0), (2, "g4", 179.0)]
blunders.group_by(in_trouble=pl.col("clock") < 30).len()

# %% [markdown]
# ## 4. Average loss in centipawns, by player
# As sites do, a loss is no more than ten pawns.

# %%
names = scoresheet.scan(GAMES, columns=["game", "White", "Black"]).to_polars()
acpl = (
    judged.drop_nulls("loss")
    .join(names, on="game")
    .group_by(player=pl.when(pl.col("turn") == "w").then("White").otherwise("Black"))
    .agg(moves=pl.len(), acpl=(pl.col("loss").clip(upper_bound=10) * 100).mean())
    .sort("player")
)
assert acpl["player"].to_list() == ["Ann", "Bob", "Cy", "Dan"]
acpl

# %% [markdown]
# ## 5. First moves

# %%
first = plies.filter(pl.col("ply") == 1)["san"].value_counts(sort=True)
assert first.rows() == [("e4", 5), ("d4", 2), ("f3", 1)]
first

# %% [markdown]
# ## 6. Positions at half-move 16
# Games 3, 4 and 5 reach the same one, on two ways.

# %%
at16 = scoresheet.scan(GAMES, "plies", ["game", "fen", "hash"], min_ply=16, max_ply=16).to_polars()
common = at16.group_by("hash").agg(games=pl.col("game"), fen=pl.col("fen").first()).sort(pl.col("games").list.len())
assert common["games"].to_list() == [[6], [3, 4, 5]]
common

# %% [markdown]
# ## 7. Repeated games

# %%
summary = scoresheet.dedupe(GAMES, "unique.si4", overwrite=True)
assert (len(scoresheet.open(GAMES)), len(scoresheet.open("unique.si4"))) == (8, 7)
summary

# %% [markdown]
# ## 8. A player's openings
# What Ann plays with White, and what she scores.

# %%
ann = scoresheet.scan("unique.si4", columns=["Result", "moves"], white="ann").to_polars()
tree = (
    ann.with_columns(line=pl.col("moves").list.head(3).list.join(" "), score=pl.col("Result").replace_strict(points))
    .group_by("line")
    .agg(games=pl.len(), score=pl.col("score").mean())
    .sort("line")
)
assert tree.rows() == [("e2e4 e7e5 d1h5", 1, 1.0), ("e2e4 e7e5 g1f3", 1, 0.5)]
tree

# %% [markdown]
# ## 9. Time controls, and the time of a move

# %%
controls = scoresheet.scan(GAMES, columns=["game", "TimeControl", "base_seconds", "increment", "time_class"]).to_polars()
spent = plies.join(controls, on="game").group_by("time_class").agg(pl.col("seconds_spent").mean()).sort("time_class")
assert controls["time_class"].to_list()[:2] == ["bullet", "blitz"]
assert controls["base_seconds"].to_list()[:3] == [60.0, 180.0, 300.0]
spent

# %% [markdown]
# ## 10. Selected games as PGN and Parquet

# %%
chosen = scoresheet.scan(GAMES, elo="1700..", result="1/2-1/2").to_polars()
scoresheet.write_table(chosen, "chosen.pgn", overwrite=True)
scoresheet.convert(GAMES, "games.parquet", overwrite=True)
assert [game.number for game in scoresheet.open("chosen.pgn")] == [1, 2, 3]
assert pl.read_parquet("games.parquet").height == 8
print(scoresheet.open("chosen.pgn")[2].pgn())
