package main

import (
	"errors"
	"regexp"
	"strings"
)

// Squares are numbers: a1 = 0, b1 = 1, ... h8 = 63. A piece is its letter in a FEN, 0 an empty square.
const noSquare = -1

// move is a move of the model: castling goes to the rook's square, promotion is a small letter or 0. (model §2)
type move struct {
	from, to  int
	promotion byte
}

var nullMove = move{}

func (m move) String() string {
	if m == nullMove {
		return "0000"
	}
	text := squareName(m.from) + squareName(m.to)
	if m.promotion != 0 {
		text += string(rune(m.promotion))
	}
	return text
}

func squareName(square int) string {
	return string([]byte{"abcdefgh"[square%8], "12345678"[square/8]})
}

func isWhite(piece byte) bool { return piece >= 'A' && piece <= 'Z' }

func lower(piece byte) byte { return piece | 0x20 }

// ofSide is the piece of a kind, given as a small letter, of one side.
func ofSide(kind byte, white bool) byte {
	if white {
		return kind &^ 0x20
	}
	return kind
}

// board is copied by assignment.
type board struct {
	squares [64]byte
	white   bool
	rights  [64]bool // rooks that may castle
	passing int      // the en passant square
}

var usual, _ = parseFEN("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")

var checks = regexp.MustCompile(`^\+?[0-9]+\+[0-9]+$`)

// ofVariant tells whether a FEN has a field of a variant of chess. (model §3 rule 7, §4.1)
func ofVariant(text string) bool {
	fields := strings.Fields(text)
	for _, field := range fields {
		if checks.MatchString(field) {
			return true
		}
	}
	return len(fields) > 0 && (strings.ContainsAny(fields[0], "[~") || strings.Count(fields[0], "/") == 8)
}

// parseFEN reads a start position. (model §3)
func parseFEN(text string) (board, error) {
	b := board{white: true, passing: noSquare}
	var fields []string
	for _, field := range strings.Fields(text) {
		if !checks.MatchString(field) {
			fields = append(fields, field)
		}
	}
	if len(fields) == 0 {
		return b, errors.New("the FEN is empty")
	}
	if err := b.place(fields[0]); err != nil {
		return b, err
	}
	if len(fields) > 1 {
		switch fields[1] {
		case "w", "W":
		case "b", "B":
			b.white = false
		default:
			return b, errors.New("the side to move is neither w nor b")
		}
	}
	if len(fields) > 2 {
		for _, letter := range []byte(fields[2]) {
			b.allow(letter)
		}
	}
	if len(fields) > 3 && len(fields[3]) == 2 {
		file, rank := strings.IndexByte("abcdefgh", fields[3][0]), fields[3][1]
		if file >= 0 && (rank == '6' && b.white || rank == '3' && !b.white) {
			b.passing = int(rank-'1')*8 + file
		}
	}
	return b, nil
}

// place reads the ranks of a FEN. Fields of other variants are passed over. (model §3 rules 1 and 7)
func (b *board) place(text string) error {
	if at := strings.IndexByte(text, '['); at >= 0 && strings.HasSuffix(text, "]") {
		text = text[:at]
	}
	ranks := strings.Split(strings.ReplaceAll(text, "~", ""), "/")
	if len(ranks) == 9 && strings.Trim(ranks[8], "PNBRQKpnbrqk") == "" {
		ranks = ranks[:8]
	}
	if len(ranks) != 8 {
		return errors.New("a board has eight ranks")
	}
	for number, row := range ranks {
		file := 0
		for _, letter := range []byte(row) {
			switch {
			case letter >= '1' && letter <= '8':
				file += int(letter - '0')
			case strings.IndexByte("PNBRQKpnbrqk", letter) < 0 || file > 7:
				return errors.New("a rank has eight squares and the letters of pieces")
			default:
				b.squares[(7-number)*8+file] = letter
				file++
			}
		}
		if file != 8 {
			return errors.New("a rank has eight squares")
		}
	}
	return nil
}

// king is the square of a side's king, if the side has exactly one.
func (b *board) king(white bool) int {
	found := noSquare
	for square, piece := range b.squares {
		if piece == ofSide('k', white) {
			if found != noSquare {
				return noSquare
			}
			found = square
		}
	}
	return found
}

// allow gives the right of a letter of the castling field. (model §3 rule 4)
func (b *board) allow(letter byte) {
	white := isWhite(letter)
	king, rank := b.king(white), 56
	if white {
		rank = 0
	}
	if king == noSquare || king/8 != rank/8 {
		return
	}
	var rooks []int
	for square := rank; square < rank+8; square++ {
		if b.squares[square] == ofSide('r', white) {
			rooks = append(rooks, square)
		}
	}
	if len(rooks) == 0 {
		return
	}
	first, last := rooks[0], rooks[len(rooks)-1]
	switch kind := lower(letter); {
	case kind == 'k' && last > king:
		b.rights[last] = true
	case kind == 'q' && first < king:
		b.rights[first] = true
	case kind >= 'a' && kind <= 'h':
		if square := rank + int(kind-'a'); b.squares[square] == ofSide('r', white) {
			b.rights[square] = true
		}
	}
}

// castles tells whether a king goes onto a rook of its own.
func (b *board) castles(m move) bool {
	piece := b.squares[m.from]
	return piece != 0 && lower(piece) == 'k' && b.squares[m.to] == ofSide('r', isWhite(piece))
}

// castled is where king and rook land. (model §2.1 rule 2)
func castled(m move) (king, rook int) {
	rank := m.from / 8 * 8
	if m.to > m.from {
		return rank + 6, rank + 5
	}
	return rank + 2, rank + 3
}

// play plays any move, legal or not. (model §2.1)
func (b *board) play(m move) {
	piece, passing := b.squares[m.from], noSquare
	white := isWhite(piece)
	switch {
	case m == nullMove || piece == 0 || m.from == m.to:
	case b.castles(m):
		king, rook := castled(m)
		b.squares[m.from], b.squares[m.to] = 0, 0
		b.squares[king], b.squares[rook] = piece, ofSide('r', white)
		b.loseRights(white)
	default:
		if lower(piece) == 'p' {
			beside := m.from/8*8 + m.to%8
			if m.from%8 != m.to%8 && b.squares[m.to] == 0 && b.squares[beside] == ofSide('p', !white) {
				b.squares[beside] = 0
			}
			if white && m.from/8 == 1 && m.to == m.from+16 || !white && m.from/8 == 6 && m.to == m.from-16 {
				passing = (m.from + m.to) / 2
			}
		}
		b.squares[m.from], b.squares[m.to] = 0, piece
		if m.promotion != 0 {
			b.squares[m.to] = ofSide(m.promotion, white)
		}
		b.rights[m.from], b.rights[m.to] = false, false
		if lower(piece) == 'k' {
			b.loseRights(white)
		}
	}
	b.white, b.passing = !b.white, passing
}

func (b *board) loseRights(white bool) {
	for square := range b.rights {
		if b.squares[square] == ofSide('r', white) {
			b.rights[square] = false
		}
	}
}

type step struct{ file, rank int }

var (
	straight = []step{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}
	diagonal = []step{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}}
	around   = append(append([]step{}, straight...), diagonal...)
	knight   = []step{{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}}
)

// ways are the directions of a piece other than a pawn, and how far it goes.
func ways(kind byte) ([]step, int) {
	switch kind {
	case 'n':
		return knight, 1
	case 'k':
		return around, 1
	case 'b':
		return diagonal, 7
	case 'r':
		return straight, 7
	}
	return around, 7
}

func onward(square int, way step) int {
	file, rank := square%8+way.file, square/8+way.rank
	if file < 0 || file > 7 || rank < 0 || rank > 7 {
		return noSquare
	}
	return rank*8 + file
}

// reaches tells whether a piece of a kind goes from one square to the other, over empty squares.
func (b *board) reaches(kind byte, from, to int) bool {
	steps, far := ways(kind)
	for _, way := range steps {
		square := from
		for count := 0; count < far; count++ {
			if square = onward(square, way); square == noSquare {
				break
			}
			if square == to {
				return true
			}
			if b.squares[square] != 0 {
				break
			}
		}
	}
	return false
}

func forward(white bool) int {
	if white {
		return 1
	}
	return -1
}

// attacked tells whether a side attacks a square.
func (b *board) attacked(square int, white bool) bool {
	for from, piece := range b.squares {
		if piece == 0 || isWhite(piece) != white {
			continue
		}
		if lower(piece) == 'p' {
			for _, file := range []int{-1, 1} {
				if onward(from, step{file, forward(white)}) == square {
					return true
				}
			}
		} else if b.reaches(lower(piece), from, square) {
			return true
		}
	}
	return false
}

func (b *board) inCheck(white bool) bool {
	king := b.king(white)
	return king != noSquare && b.attacked(king, !white)
}

// legal follows the rules of chess. (model §2.2)
func (b *board) legal(m move) bool {
	if m == nullMove {
		return !b.inCheck(b.white)
	}
	piece := b.squares[m.from]
	if piece == 0 || isWhite(piece) != b.white {
		return false
	}
	if b.castles(m) {
		return m.promotion == 0 && b.mayCastle(m)
	}
	taken := b.squares[m.to]
	if taken != 0 && isWhite(taken) == b.white {
		return false
	}
	promotes := false
	if lower(piece) == 'p' {
		if !b.pawnGoes(m) {
			return false
		}
		promotes = m.to/8 == 0 || m.to/8 == 7
	} else if !b.reaches(lower(piece), m.from, m.to) {
		return false
	}
	if promotes != (m.promotion != 0) || promotes && strings.IndexByte("nbrq", m.promotion) < 0 {
		return false
	}
	after := *b
	after.play(m)
	return !after.inCheck(b.white)
}

func (b *board) pawnGoes(m move) bool {
	ahead := 8 * forward(b.white)
	switch {
	case m.to == m.from+ahead:
		return b.squares[m.to] == 0
	case m.to == m.from+2*ahead:
		home := m.from/8 == 1 && b.white || m.from/8 == 6 && !b.white
		return home && b.squares[m.from+ahead] == 0 && b.squares[m.to] == 0
	}
	for _, file := range []int{-1, 1} {
		if onward(m.from, step{file, forward(b.white)}) == m.to {
			return b.squares[m.to] != 0 || m.to == b.passing
		}
	}
	return false
}

func (b *board) mayCastle(m move) bool {
	if b.king(b.white) != m.from || !b.rights[m.to] || m.from/8 != m.to/8 {
		return false
	}
	king, rook := castled(m)
	without := *b
	without.squares[m.from], without.squares[m.to] = 0, 0
	for _, path := range [][2]int{{m.from, king}, {m.to, rook}} {
		low, high := path[0], path[1]
		if low > high {
			low, high = high, low
		}
		for square := low; square <= high; square++ {
			if without.squares[square] != 0 {
				return false
			}
		}
	}
	// The rook still stands while the king goes.
	without.squares[m.to] = b.squares[m.to]
	for square := m.from; ; square += sign(king - m.from) {
		if without.attacked(square, !b.white) {
			return false
		}
		if square == king {
			break
		}
	}
	after := *b
	after.play(m)
	return !after.inCheck(b.white)
}

func sign(number int) int {
	switch {
	case number > 0:
		return 1
	case number < 0:
		return -1
	}
	return 0
}
