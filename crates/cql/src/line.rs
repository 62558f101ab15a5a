//! The positions of a game, with their moves.

use chess_core::{Bitboard, CastlingSide, Game, Move, Position, Role, Square, Token};

use crate::geometry::kind_of;

/// The number that no position has.
pub(crate) const NONE: u32 = u32::MAX;

/// A position of the game and how it is reached.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    pub(crate) position: Position,
    pub(crate) played: Move,
    pub(crate) parent: u32,
    /// The position after the main move.
    pub(crate) child: u32,
    /// The position after the next alternative to `played`.
    pub(crate) sibling: u32,
    pub(crate) ply: u32,
    /// In how many variations the position lies.
    pub(crate) depth: u32,
    /// Whether `played` is the main move.
    pub(crate) primary: bool,
    /// The newest of its comments in `Line::notes`.
    note: u32,
}

/// The positions of one game in the order of the file, the start position first. The buffers are
/// reused from game to game.
#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) spots: Vec<Spot>,
    /// Comments as numbers of tokens, each with the number of the next of the same position.
    notes: Vec<(usize, u32)>,
    /// For each position, which man is where.
    men: Vec<Whereabouts>,
}

/// Men are numbered by the squares where they began.
#[derive(Clone, Copy, Debug)]
struct Whereabouts {
    /// The square of each man; 64 if there is none or it was taken.
    squares: [u8; 64],
    /// The man on each square; 64 if it is empty.
    men: [u8; 64],
}

impl Whereabouts {
    fn start(position: &Position) -> Whereabouts {
        let mut start = Whereabouts { squares: [64; 64], men: [64; 64] };
        for square in position.occupied() {
            start.place(square.index(), square.index());
        }
        start
    }

    fn take(&mut self, square: Square) -> u8 {
        let place = self.men.get_mut(usize::from(square.index()));
        let man = place.map_or(64, |man| std::mem::replace(man, 64));
        if let Some(place) = self.squares.get_mut(usize::from(man)) {
            *place = 64;
        }
        man
    }

    fn place(&mut self, man: u8, square: u8) {
        if let (Some(at), Some(on)) =
            (self.squares.get_mut(usize::from(man)), self.men.get_mut(usize::from(square)))
        {
            (*at, *on) = (square, man);
        }
    }

    fn play(&mut self, before: &Position, m: Move) {
        let played = Played::new(before, m);
        let (Some(from), Some(to)) = (played.from.first(), played.to.first()) else { return };
        played.captured.for_each(|square| {
            self.take(square);
        });
        let man = self.take(from);
        if played.castle != 0 {
            let rook = self.take(m.to());
            let side = CastlingSide::of(from, m.to());
            self.place(rook, from.rank() << 3 | side.rook_file());
        }
        self.place(man, to.index());
    }
}

/// The data of positions that a query needs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Needs {
    pub(crate) variations: bool,
    pub(crate) comments: bool,
    pub(crate) identities: bool,
}

impl Default for Line {
    fn default() -> Line {
        let spots = vec![Spot::first(Position::start())];
        Line { spots, notes: Vec::new(), men: Vec::new() }
    }
}

impl Spot {
    /// The start position of a game.
    fn first(position: Position) -> Spot {
        Spot {
            position,
            played: Move::NULL,
            parent: NONE,
            child: NONE,
            sibling: NONE,
            ply: 0,
            depth: 0,
            primary: true,
            note: NONE,
        }
    }
}

impl Line {
    pub(crate) fn fill(&mut self, game: &Game, needs: Needs) {
        self.spots.clear();
        self.notes.clear();
        self.men.clear();
        let position = match game.setup() {
            Some(setup) => *setup.position(),
            None => Position::start(),
        };
        self.spots.push(Spot::first(position));
        if needs.variations || needs.comments {
            self.fill_tokens(game, needs);
        } else {
            let mut at = 0;
            for m in game.main_line() {
                at = self.push(at, m, 0);
            }
        }
        if needs.identities {
            self.follow_men();
        }
    }

    fn fill_tokens(&mut self, game: &Game, needs: Needs) {
        let (mut at, mut depth) = (0_u32, 0_u32);
        let mut outer: Vec<(u32, bool)> = Vec::new();
        // Comments at the start of a variation belong to its first move.
        let (mut waiting, mut fresh) = (NONE, false);
        for (number, token) in game.tokens().enumerate() {
            if !needs.variations
                && depth > 0
                && !matches!(token, Token::VariationStart | Token::VariationEnd)
            {
                continue;
            }
            match token {
                Token::Move(m) => {
                    at = self.push(at, m, depth);
                    if let Some(spot) = self.spots.get_mut(at as usize) {
                        spot.note = waiting;
                    }
                    (waiting, fresh) = (NONE, false);
                }
                Token::Comment(_) if needs.comments => {
                    let next = u32::try_from(self.notes.len()).unwrap_or(NONE);
                    let newest = match self.spots.get_mut(at as usize) {
                        Some(spot) if !fresh => &mut spot.note,
                        _ => &mut waiting,
                    };
                    self.notes.push((number, std::mem::replace(newest, next)));
                }
                Token::VariationStart => {
                    outer.push((at, fresh));
                    at = self.spot(at).parent;
                    if at == NONE {
                        at = 0;
                    }
                    (depth, fresh, waiting) = (depth.saturating_add(1), true, NONE);
                }
                Token::VariationEnd => {
                    depth = depth.saturating_sub(1);
                    (at, fresh) = outer.pop().unwrap_or_default();
                    waiting = NONE;
                }
                _ => {}
            }
        }
    }

    /// Adds the position after a move and returns its number.
    #[inline]
    fn push(&mut self, parent: u32, m: Move, depth: u32) -> u32 {
        let number = u32::try_from(self.spots.len()).unwrap_or(NONE);
        let Some(before) = self.spots.get_mut(parent as usize) else { return parent };
        let first = before.child;
        if first == NONE {
            before.child = number;
        } else {
            let mut last = first;
            while self.spot(last).sibling != NONE {
                last = self.spot(last).sibling;
            }
            if let Some(last) = self.spots.get_mut(last as usize) {
                last.sibling = number;
            }
        }
        // A position is large, so it is copied once and then changed in place.
        let place = parent as usize;
        self.spots.extend_from_within(place..=place);
        if let Some(spot) = self.spots.last_mut() {
            spot.position.apply_unforeseen(m);
            spot.ply = spot.ply.saturating_add(1);
            (spot.played, spot.parent, spot.depth) = (m, parent, depth);
            (spot.child, spot.sibling, spot.note) = (NONE, NONE, NONE);
            spot.primary = first == NONE;
        }
        number
    }

    fn follow_men(&mut self) {
        for spot in &self.spots {
            let before = self.spots.get(spot.parent as usize);
            let men = before.and_then(|before| Some((before, self.men.get(spot.parent as usize)?)));
            let men = match men {
                None => Whereabouts::start(&spot.position),
                Some((before, men)) => {
                    let mut men = *men;
                    men.play(&before.position, spot.played);
                    men
                }
            };
            self.men.push(men);
        }
    }

    #[inline]
    pub(crate) fn spot(&self, number: u32) -> &Spot {
        #[allow(clippy::indexing_slicing, reason = "a line has a start position at least")]
        self.spots.get(number as usize).unwrap_or(&self.spots[0])
    }

    pub(crate) fn len(&self) -> u32 {
        u32::try_from(self.spots.len()).unwrap_or(NONE)
    }

    /// Iterates over the positions after a position, that after the main move first.
    pub(crate) fn next(&self, number: u32) -> u32 {
        self.spot(number).child
    }

    /// Returns the number of the man on a square, which is the square where it began.
    pub(crate) fn man_on(&self, number: u32, square: Square) -> Option<u8> {
        let men = self.men.get(number as usize)?.men;
        men.get(usize::from(square.index())).copied().filter(|man| *man < 64)
    }

    /// Returns the square of a man, or the empty set if it was taken.
    pub(crate) fn man(&self, number: u32, man: u8) -> Bitboard {
        let men = self.men.get(number as usize);
        let square = men.and_then(|men| men.squares.get(usize::from(man)));
        square.and_then(|square| Square::new(*square)).map_or(Bitboard::EMPTY, Bitboard::of)
    }

    /// Calls `wanted` with the comments of a position until it returns true.
    pub(crate) fn any_comment(
        &self,
        game: &Game,
        number: u32,
        wanted: &mut dyn FnMut(&str) -> bool,
    ) -> bool {
        let mut next = self.spot(number).note;
        while let Some((token, before)) = self.notes.get(next as usize) {
            if let Some(Token::Comment(text)) = game.token(*token)
                && wanted(text)
            {
                return true;
            }
            next = *before;
        }
        false
    }
}

/// The effect of a move, seen from the position before it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Played {
    pub(crate) from: Bitboard,
    /// The target square; of castling, the king's.
    pub(crate) to: Bitboard,
    pub(crate) captured: Bitboard,
    pub(crate) en_passant: bool,
    /// Bit 0: castling on the king's side, bit 1: on the queen's side.
    pub(crate) castle: u8,
    /// The kind of man as a bit of `Men`, white; 0 without promotion.
    pub(crate) promotion: u16,
    pub(crate) null: bool,
}

impl Played {
    #[inline]
    pub(crate) fn new(before: &Position, m: Move) -> Played {
        let (from, to) = (m.from(), m.to());
        let Some(piece) = before.piece_at(from).filter(|_| !m.is_null() && from != to) else {
            return Played { null: true, ..Played::default() };
        };
        let mut played = Played {
            from: Bitboard::of(from),
            to: Bitboard::of(to),
            promotion: m.promotion().map_or(0, |role| kind_of(role, chess_core::Color::White)),
            ..Played::default()
        };
        if let Some(side) = before.castling_side(m) {
            let king = from.rank() << 3 | side.king_file();
            played.to = Bitboard::of(Square::from_low_bits(king));
            played.castle = if side == CastlingSide::King { 1 } else { 2 };
        } else if before.piece_at(to).is_some() {
            played.captured = played.to;
        } else if piece.role() == Role::Pawn && from.file() != to.file() {
            played.captured = Bitboard::of(to.with_rank(from.rank()));
            played.en_passant = true;
        }
        played
    }
}
