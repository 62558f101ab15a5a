package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The rule of the page that a line follows is cited as its number. (docs/formats/dcg.md)

const nameSize = 36

type numbering [8]byte

var (
	byProgram   = numbering{2: 'n', 3: 'b', 4: 'r', 5: 'q'}
	asDescribed = numbering{1: 'n', 2: 'b', 3: 'r', 4: 'q'}
)

// piece is what a code of promotion stands for; a code of the other numbering alone is read in that. (§6.3.1.8)
func (n numbering) piece(code int) byte {
	if n[code] != 0 {
		return n[code]
	}
	if n == byProgram {
		return asDescribed[code]
	}
	return byProgram[code]
}

type base struct {
	index, games []byte
	hasGames     bool
	names        map[string][]byte // by tag; nil where the file is missing
	old          bool
	header, size int
	length       int
	complement   bool
	bounds       bounds
	promotions   numbering
}

func newBase(files map[string][]byte, promotions string) (*base, error) {
	index, hasIndex := files[".dci"]
	games, hasGames := files[".dcg"]
	events, hasEvents := files[".dce"]
	// §1.1, §1.2
	if !hasIndex || !hasGames && files[".dcn"] == nil {
		return nil, errors.New("the index is missing, or both the games and the players are")
	}
	if len(index) > 0 && !bytes.HasPrefix(index, []byte("SimpleCDbi")) {
		return nil, errors.New("the index does not begin with its magic")
	}
	b := &base{index: index, games: games, hasGames: hasGames}
	b.names = map[string][]byte{"White": files[".dcn"], "Black": files[".dcn"], "Site": files[".dcs"], "Event": events}
	b.old = b.marks(true, hasEvents) > b.marks(false, hasEvents)
	b.header, b.size = layout(b.old)
	// §1.4, §3.1, §3.2
	whole := len(index) - b.header
	if whole < 0 {
		whole = 0
	}
	b.length = whole / b.size
	// §2.2.6
	if !b.old && len(index) > 10 && index[10] == 1 && whole%b.size != 0 {
		return nil, errors.New("version 1 of the index")
	}
	// §3.5
	b.complement = !b.old && len(index) >= 19 && index[11] >= 0x80
	starts := make([]uint64, b.length)
	for number := range starts {
		starts[number] = b.entry(number).offset
	}
	b.bounds = newBounds(starts)
	switch promotions {
	case "program":
		b.promotions = byProgram
	case "described":
		b.promotions = asDescribed
	default:
		b.promotions = b.numbering()
	}
	return b, nil
}

func layout(old bool) (header, size int) {
	if old {
		return 10, 35
	}
	return 19, 39
}

// marks are the three marks of a layout, the first of them in the highest bits. (§2.2)
func (b *base) marks(old, hasEvents bool) int {
	header, size := layout(old)
	// §2.2.1, §2.2.2
	entries, all := 0, true
	for ; entries < 16 && header+(entries+1)*size <= len(b.index); entries++ {
		e := parseEntry(b.index[header+entries*size:], old)
		all = all && b.makesSense(e)
	}
	// §2.2.3
	if !old && len(b.index) > 10 && b.index[10] != 0 {
		all = false
	}
	mark := 0
	if entries == 0 {
		mark = 1
	} else if all {
		mark = 2
	}
	mark *= 4
	// §2.2.4, §2.2.5
	if len(b.index) >= header && (len(b.index)-header)%size == 0 {
		mark += 2
	}
	if hasEvents != old {
		mark++
	}
	return mark
}

func (b *base) makesSense(e entry) bool {
	end := uint64(len(b.games))
	if end < 11 {
		end = 11
	}
	return (e.status == 0 || e.status == 0xff) && e.result <= 3 && e.month <= 12 && e.day <= 31 &&
		e.offset >= 10 && (!b.hasGames || e.offset < end)
}

// entry is an entry of the index. (§4)
type entry struct {
	status                    byte
	offset                    uint64
	white, black, site, event uint32
	round, whiteElo, blackElo int
	result                    int
	eco                       []byte
	year, month, day          int
}

func parseEntry(data []byte, old bool) entry {
	big := binary.BigEndian
	e := entry{status: data[0], offset: big.Uint64(data[1:]), white: big.Uint32(data[9:]), black: big.Uint32(data[13:]),
		round: int(big.Uint16(data[17:])), site: big.Uint32(data[19:])}
	data = data[23:]
	if !old {
		e.event = big.Uint32(data)
		data = data[4:]
	}
	e.whiteElo, e.blackElo = int(big.Uint16(data)), int(big.Uint16(data[2:]))
	e.result, e.eco = int(data[4]), data[5:8]
	e.year, e.month, e.day = int(big.Uint16(data[8:])), int(data[10]), int(data[11])
	return e
}

func (b *base) entry(number int) entry {
	return parseEntry(b.index[b.header+number*b.size:], b.old)
}

// game reads a game as far as it goes.
func (b *base) game(number int) (*game, error) {
	g, e := newGame(), b.entry(number)
	lost := b.roster(e, g)
	record, cut, err := b.record(e.offset)
	if err != nil {
		return g, err
	}
	err = b.decode(record, g)
	// §6.5.3, §6.5.6
	if cut {
		err = errors.New("the record is not all there")
	} else if err == nil {
		err = lost
	}
	// model §4.1
	if err == nil && g.fen != nil && ofVariant(*g.fen) {
		err = errors.New("the FEN is one of another variant")
	}
	return g, err
}

// roster gives the tags of an entry, and an error if a name is not there whole. (§4.1, §15)
func (b *base) roster(e entry, g *game) (lost error) {
	for tag, reference := range map[string]uint32{"White": e.white, "Black": e.black, "Site": e.site, "Event": e.event} {
		name, whole := readName(b.names[tag], reference)
		g.typed[tag] = name
		if !whole {
			lost = errors.New("a name is not there, or not all of it")
		}
	}
	if e.round != 0 {
		g.typed["Round"] = strconv.Itoa(e.round)
	}
	if e.whiteElo != 0 {
		g.typed["WhiteElo"] = strconv.Itoa(e.whiteElo)
	}
	if e.blackElo != 0 {
		g.typed["BlackElo"] = strconv.Itoa(e.blackElo)
	}
	// §4.1.2, §4.1.3
	if e.status == 0xff {
		g.typed["Deleted"] = "1"
	} else if e.status != 0 {
		g.tag("DCGStatus", strconv.Itoa(int(e.status)))
	}
	// §4.1.7
	if e.result <= 3 {
		g.typed["Result"] = []string{"*", "1-0", "0-1", "1/2-1/2"}[e.result]
	} else {
		g.tag("DCGResult", strconv.Itoa(e.result))
	}
	// §4.1.8 to §4.1.10
	printable := true
	for _, letter := range e.eco {
		printable = printable && letter >= 0x20 && letter <= 0x7e
	}
	if printable {
		g.typed["ECO"] = string(e.eco)
	} else if !bytes.Equal(e.eco, []byte{0, 0, 0}) {
		const digits = "0123456789abcdef"
		var hex []byte
		for _, letter := range e.eco {
			hex = append(hex, digits[letter>>4], digits[letter&15])
		}
		g.tag("DCGEco", string(hex))
	}
	// §4.1.11, §4.1.12
	year, month, day := e.year, e.month, e.day
	if year > 9999 || month > 12 || day > 31 {
		g.tag("DCGDate", strconv.Itoa(year)+"."+strconv.Itoa(month)+"."+strconv.Itoa(day))
	}
	if year > 9999 {
		year = 0
	}
	if month > 12 {
		month = 0
	}
	if day > 31 {
		day = 0
	}
	g.typed["Date"] = date(year, month, day)
	return lost
}

// readName gives a name, and whether the reference leads to a whole record or is none. (§5)
func readName(names []byte, reference uint32) (string, bool) {
	at := int(reference)
	// §5.1.1, §5.1.2
	if at == 0 {
		return "?", true
	}
	if at < 10 || at >= len(names) {
		return "?", false
	}
	// §5.1.3, §5.1.4
	end, whole := at+nameSize, (at-10)%nameSize == 0
	if end > len(names) {
		end, whole = len(names), false
	}
	// §5.3
	spaced := bytes.TrimRight(names[at:end], " ")
	text := bytes.TrimRight(spaced, "\x00")
	if !utf8.Valid(text) && len(spaced) == nameSize {
		// §5.3.4
		for size := 1; size <= 3 && size <= len(text); size++ {
			piece := text[len(text)-size:]
			if utf8.RuneStart(piece[0]) {
				if !utf8.FullRune(piece) && utf8.Valid(text[:len(text)-size]) {
					text = text[:len(text)-size]
				}
				break
			}
		}
	}
	return decode(text), whole
}

// record is the part of a record that may be read, and whether that is not all of it. (§6.5)
func (b *base) record(offset uint64) ([]byte, bool, error) {
	if !b.hasGames {
		return nil, false, errors.New("the games are missing")
	}
	// §6.5.1
	if offset < 10 || offset >= uint64(len(b.games)) {
		return nil, false, errors.New("the offset is outside of the games")
	}
	there := b.games[offset:]
	length, size, err := readLength(there)
	if b.old {
		length, size, err = reversedLength(there)
	}
	if err != nil {
		return nil, false, err
	}
	allowed := b.bounds.allowed(offset, uint64(size+length))
	if allowed < uint64(len(there)) {
		there = there[:allowed]
	}
	if len(there) < size {
		return nil, true, nil
	}
	record := there[size:]
	return record, len(record) < length, nil
}

// readLength gives a length and how many bytes it takes. (§6.1)
func readLength(data []byte) (length, size int, err error) {
	if len(data) == 0 {
		return 0, 0, errors.New("no length is there")
	}
	first := data[0]
	if first < 0x80 {
		return int(first), 1, nil
	}
	size = int(first) - 0x80
	if size < 1 || size > 4 || len(data) <= size {
		return 0, 0, errors.New("no length")
	}
	for _, digit := range data[1 : 1+size] {
		length = length<<8 | int(digit)
	}
	return length, 1 + size, nil
}

// reversedLength reads a GameLength of the old layout. (§2.1)
func reversedLength(data []byte) (length, size int, err error) {
	if len(data) >= 3 {
		b0, b1, b2 := int(data[0]), int(data[1]), data[2]
		if b2 == 0x82 && (b1 != 0 || b0 == 0xff) {
			return b0 + 256*b1, 3, nil
		}
		if b1 == 0x81 && b0 >= 0x7f && b2 <= 1 {
			return b0, 2, nil
		}
	}
	return readLength(data)
}

// counted takes the bytes that a length counts from the beginning of data.
func counted(data []byte) (text, rest []byte, err error) {
	length, size, err := readLength(data)
	if err == nil && length > len(data)-size {
		err = errors.New("the record ends within a text")
	}
	if err != nil {
		return nil, nil, err
	}
	return data[size : size+length], data[size+length:], nil
}

// start reads the start position of a record. (§6.2)
func start(record []byte) (b board, fen *string, rest []byte, err error) {
	b = usual
	if len(record) == 0 {
		return b, nil, nil, errors.New("the record is empty")
	}
	switch record[0] {
	case 0:
		return b, nil, record[1:], nil
	case 1:
		data, rest, err := counted(record[1:])
		if err != nil {
			return b, nil, nil, err
		}
		text := decode(data)
		b, err = parseFEN(text)
		return b, &text, rest, err
	}
	return b, nil, nil, errors.New("the FenMarker is neither 00 nor 01")
}

type token struct {
	kind byte // 0 for a move of two bytes, else the byte of a tag
	move move // without promotion
	code int
	data []byte
}

const (
	begin, end, text, nags, passes = 0x84, 0x85, 0x86, 0x87, 0x88
)

// next takes a token from the beginning of data. (§6.3, §6.4)
func next(data []byte) (t token, rest []byte, err error) {
	t.kind, rest = data[0], data[1:]
	switch {
	case t.kind < 0x80:
		if len(data) < 2 {
			return t, nil, errors.New("the record ends within a move")
		}
		word := int(data[0])<<8 | int(data[1])
		return token{move: move{from: word >> 6 & 63, to: word & 63}, code: word >> 12}, data[2:], nil
	case t.kind == text || t.kind == nags:
		t.data, rest, err = counted(rest)
	case t.kind != begin && t.kind != end && t.kind != passes:
		err = errors.New("a byte that starts nothing")
	}
	return t, rest, err
}

// model turns the squares and the code of a move into a move of the model; false if the code stands for nothing.
func (t token) model(b *board, promotions numbering) (move, bool) {
	m := t.move
	// §6.3.2.1
	if piece := b.squares[m.from]; lower(piece) == 'k' {
		corner := noSquare
		switch m {
		case move{from: 4, to: 6}, move{from: 60, to: 62}:
			corner = m.to + 1
		case move{from: 4, to: 2}, move{from: 60, to: 58}:
			corner = m.to - 2
		}
		if corner != noSquare && b.squares[corner] == ofSide('r', isWhite(piece)) {
			m.to = corner
		}
	}
	if t.code == 0 {
		return m, true
	}
	piece := promotions.piece(t.code)
	// §6.3.1.10
	if piece != 0 && !b.legal(m) {
		m = t.move
		m.promotion = piece
	}
	return m, piece != 0
}

// decode reads the start position and the line of a record. (§6.2 to §6.4)
func (b *base) decode(record []byte, g *game) error {
	now, fen, rest, err := start(record)
	if err != nil {
		return err
	}
	g.fen = fen
	type level struct{ now, before board }
	var levels []level
	before, moved := now, false
	for len(rest) > 0 {
		var t token
		if t, rest, err = next(rest); err != nil {
			return err
		}
		switch t.kind {
		case 0, passes:
			m, known := nullMove, true
			if t.kind == 0 {
				m, known = t.model(&now, b.promotions)
			}
			// §6.3.1.9
			if !known {
				return errors.New("no promotion has this code")
			}
			before, moved = now, true
			now.play(m)
			g.add(m.String())
		case begin:
			if !moved {
				return errors.New("a variation without a move to replace")
			}
			levels = append(levels, level{now, before})
			now, moved = before, false
			g.startVariation()
		case end:
			if len(levels) == 0 {
				return errors.New("the end of no variation")
			}
			last := levels[len(levels)-1]
			levels = levels[:len(levels)-1]
			now, before, moved = last.now, last.before, true
			g.endVariation()
		case text:
			g.comment(lineEnd.ReplaceAllString(decode(t.data), "\n"))
		case nags:
			for _, nag := range t.data {
				g.add("$" + strconv.Itoa(int(nag)))
			}
		}
	}
	return nil
}

// vote is what the main lines say for a numbering. (§6.3.1)
type vote struct{ speaking, illegal, queens, bishops int }

func (b *base) numbering() numbering {
	var program, described vote
	left := 1 << 20
	// §6.3.1.1
	for number := 0; number < b.length && number < 1024; number++ {
		record, _, err := b.record(b.entry(number).offset)
		if err != nil {
			continue
		}
		if left -= len(record); left < 0 {
			break
		}
		one, codes := survey(record, byProgram)
		other, more := survey(record, asDescribed)
		// §6.3.1.4
		if codes[5] || more[5] {
			one.speaking = 1
		}
		if codes[1] || more[1] {
			other.speaking = 1
		}
		program.add(one)
		described.add(other)
	}
	complement := 0
	if b.complement {
		complement = 1
	}
	// §6.3.1.5, §6.3.1.6, §6.3.1.11, §6.3.1.12
	for _, difference := range []int{program.speaking - described.speaking, described.illegal - program.illegal, complement,
		program.queens - described.queens, described.bishops - program.bishops} {
		if difference > 0 {
			return byProgram
		}
		if difference < 0 {
			return asDescribed
		}
	}
	return byProgram
}

func (v *vote) add(other vote) {
	v.speaking += other.speaking
	v.illegal += other.illegal
	v.queens += other.queens
	v.bishops += other.bishops
}

// survey plays the main line of a record under a numbering. The second result has the codes of legal
// promotions with no illegal move before them. (§6.3.1.3, §6.3.1.4)
func survey(record []byte, promotions numbering) (v vote, codes [8]bool) {
	now, fen, rest, err := start(record)
	if err != nil {
		return v, codes
	}
	// §6.3.1.1
	if fen != nil {
		if text, _, _ := counted(record[1:]); !utf8.Valid(text) {
			return v, codes
		}
	}
	for depth := 0; len(rest) > 0; {
		var t token
		if t, rest, err = next(rest); err != nil {
			break
		}
		if t.kind == begin {
			depth++
		} else if t.kind == end && depth > 0 {
			depth--
		}
		if depth > 0 || t.kind != 0 && t.kind != passes {
			continue
		}
		m, known := nullMove, true
		if t.kind == 0 {
			m, known = t.model(&now, promotions)
			if !known {
				m = nullMove
			}
			if m == nullMove || !now.legal(m) {
				v.illegal++
			} else if v.illegal == 0 && m.promotion != 0 {
				codes[t.code] = true
				v.queens |= strings.Count("q", string(rune(m.promotion)))
				v.bishops |= strings.Count("b", string(rune(m.promotion)))
			}
		}
		now.play(m)
	}
	return v, codes
}
