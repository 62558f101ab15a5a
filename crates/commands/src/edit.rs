//! `scoresheet edit`

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::selection::Selection;
use crate::shared::{NoSampling, Reading, Sampling};
use crate::values::game_number;
use crate::waiting::Waiting;

/// Changes a base in place, where its format allows it
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  scoresheet edit base.dci delete 3 7-9
  scoresheet edit base.si4 delete --player adams --date ..1990
  scoresheet edit base.si4 set Event=Linares 'Site=Linares ESP' 12-40
  scoresheet edit base.si4 flag 12 --add W
  scoresheet edit base.si4 dedupe
  scoresheet edit base.si4 append new.pgn
  scoresheet edit base.si4 --dry-run compact")]
pub struct Edit {
    /// Any file of the base
    pub file: PathBuf,
    /// Print what would be done, and change nothing
    #[arg(long, short = 'n', global = true)]
    pub dry_run: bool,
    #[command(flatten)]
    pub waiting: Waiting,
    #[command(subcommand)]
    pub change: Change,
    #[command(flatten)]
    pub reading: Reading,
}

#[derive(Debug, Subcommand)]
pub enum Change {
    /// Marks games as deleted
    #[command(after_help = "Examples:
  scoresheet edit base.si4 delete 3 7-9
  scoresheet edit base.si4 delete --player adams --date ..1990")]
    Delete(Chosen),
    /// Removes the mark
    #[command(after_help = "Example:
  scoresheet edit base.si4 undelete 3 7-9")]
    Undelete(Chosen),
    /// Marks games that repeat others as deleted, as `scoresheet dedupe` finds them
    #[command(after_help = "Examples:
  scoresheet edit base.si4 --dry-run dedupe
  scoresheet edit base.si4 dedupe --contained")]
    Dedupe {
        /// Mark games that are the beginning of others too
        #[arg(long)]
        contained: bool,
        #[command(flatten)]
        sampling: NoSampling,
        #[command(flatten)]
        selection: Selection,
    },
    /// Sets or removes tags of games
    #[command(after_help = "\
Only the headers change. --dry-run prints the changes first.

Examples:
  scoresheet edit base.si4 set Event=Linares 3 7-9
  scoresheet edit base.si4 set 'White=Karpov, Anatoly' --white 'karpow, a' --exact
  scoresheet edit base.si4 set Annotator= --player tal
  scoresheet list base.si4 --csv --columns number,white,site > names.csv
  scoresheet edit base.si4 set --csv names.csv")]
    Set {
        /// Tags with their new values, and numbers of games: 3 7-9. TAG= removes the tag
        #[arg(value_name = "TAG=VALUE|GAMES", required_unless_present = "csv")]
        words: Vec<String>,
        /// Table of changes: a column Number, and one for each tag; empty cells change nothing
        #[arg(long, value_name = "FILE", conflicts_with_all = ["words", "Selection", "sample"])]
        csv: Option<PathBuf>,
        #[command(flatten)]
        sampling: Sampling,
        #[command(flatten)]
        selection: Option<Selection>,
    },
    /// Corrects names by a spelling file of Scid; --dry-run lists them
    #[command(after_help = "\
White, Black, Event, Site and Round get the spelling that the file prefers. A name that the file \
does not have, or that can be several people, stays. So does a name whose games would be of several \
people by their FIDE ids, ratings and years; the command lists them.

Examples:
  scoresheet edit base.si4 --dry-run spell spelling.ssp
  scoresheet edit base.si4 spell spelling.ssp --date 1990..")]
    Spell {
        /// Spelling file
        file: PathBuf,
        /// Correct names whose games are of several people, too
        #[arg(long)]
        all: bool,
        #[command(flatten)]
        sampling: Sampling,
        #[command(flatten)]
        selection: Option<Selection>,
    },
    /// Writes missing FIDE ids, titles and ratings by a list of players; --dry-run counts them
    #[command(after_help = "\
The list is that of --players: the spelling or ratings file of Scid, or a rating list of FIDE. A \
player is found by the FIDE id in the game, or else by the full name. Tags that are there stay. \
docs/filters.md says when titles and ratings hold.

Examples:
  scoresheet edit base.si4 --dry-run fill --players spelling.ssp
  scoresheet edit base.si4 fill --players standard_rating_list.txt --date 2022-11")]
    Fill {
        #[command(flatten)]
        sampling: Sampling,
        #[command(flatten)]
        selection: Selection,
    },
    /// Adds or removes flags of games
    #[command(after_help = "Flags of Scid bases:
  W  opening of White    N  novelty           K  king side     ?  blunder
  B  opening of Black    P  pawn structure    Q  queen side    U  user
  M  middle game         T  tactics           !  brilliancy    1-6  the user's own,
  E  endgame                                                        labelled in the base

Examples:
  scoresheet edit base.si4 flag 12 20-30 --add W!
  scoresheet edit base.si4 flag --player tal --add T --take U
  scoresheet edit base.si4 flag --sample 100 --add U
  scoresheet edit base.si4 flag 12 --only ''")]
    Flag {
        /// Flags to add, as letters
        #[arg(long, value_name = "LETTERS")]
        add: Option<String>,
        /// Flags to remove, as letters
        #[arg(long, value_name = "LETTERS")]
        take: Option<String>,
        /// Flags to set; all others are removed
        #[arg(long, value_name = "LETTERS", conflicts_with_all = ["add", "take"])]
        only: Option<String>,
        #[command(flatten)]
        games: Chosen,
    },
    /// Replaces a game by the first game of another base
    #[command(after_help = "Example:
  scoresheet edit base.si4 replace 12 corrected.pgn")]
    Replace {
        /// Number of the game to replace
        #[arg(value_parser = game_number)]
        game: u64,
        /// Base with the new game
        with: PathBuf,
        #[command(flatten)]
        sampling: NoSampling,
    },
    /// Appends the games of other bases, a damaged one up to the damage
    #[command(after_help = "Example:
  scoresheet edit base.si4 append new.pgn
  scoresheet edit base.si4 append new.pgn --unique")]
    Append {
        /// Bases to append
        #[arg(required = true)]
        from: Vec<PathBuf>,
        /// Append only games that the base lacks, by the rules of `dedupe`
        #[arg(long)]
        unique: bool,
        #[command(flatten)]
        sampling: NoSampling,
    },
    /// Gives a player, event or site another name, in all games
    #[command(after_help = "\
The number of games of each is printed first: of White, Black, Event and Site with exactly the old \
name, and of those that have the new one already.

Examples:
  scoresheet edit base.si4 --dry-run rename 'Polgar,Ju' 'Polgar, Judit'
  scoresheet edit base.si4 rename 'Wijk aan Zee' 'Wijk aan Zee NED' --tag Site")]
    Rename {
        /// Name as it stands in the base
        old: String,
        /// New name
        new: String,
        /// Only in this tag: White, Black, Event or Site
        #[arg(long, value_name = "TAG", value_parser = ["White", "Black", "Event", "Site"])]
        tag: Vec<String>,
    },
    /// Sets facts of the base: description, type, default-game, flag-1 to flag-6
    #[command(after_help = "Example:
  scoresheet edit base.si4 about 'description=Games of our club'")]
    About {
        /// Facts with their new values; NAME= removes the fact
        #[arg(value_name = "NAME=VALUE", required = true)]
        facts: Vec<String>,
    },
    /// Drops deleted games and unused space
    #[command(after_help = "Example:
  scoresheet edit base.si4 --dry-run compact")]
    Compact,
}

/// The games to change: those with these numbers that the options choose
#[derive(Debug, Args)]
pub struct Chosen {
    /// Numbers of games: 3 7-9
    #[arg(value_name = "GAMES", required_unless_present_any = ["Selection", "sample"])]
    pub numbers: Vec<String>,
    #[command(flatten)]
    pub sampling: Sampling,
    #[command(flatten)]
    pub selection: Option<Selection>,
}
