package main

import (
	"fmt"
	"regexp"
	"sort"
	"strings"
	"unicode/utf8"
)

// typed are the tags with a place of their own, in their order; the first seven are always there. (model §4.2, §5)
var typed = []string{"Event", "Site", "Date", "Round", "White", "Black", "Result", "WhiteElo", "BlackElo", "ECO", "EventDate", "Deleted"}

type game struct {
	typed map[string]string
	tags  [][2]string // all others, in their order
	fen   *string
	line  []string // tokens as JSON
	open  int      // variations that are not closed
}

func newGame() *game {
	return &game{typed: map[string]string{
		"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?", "Black": "?", "Result": "*",
	}}
}

func (g *game) tag(name, value string) { g.tags = append(g.tags, [2]string{name, value}) }

func (g *game) add(token string) { g.line = append(g.line, quoted(token)) }

func (g *game) comment(text string) { g.line = append(g.line, `{"comment":`+quoted(text)+"}") }

func (g *game) startVariation() {
	g.open++
	g.add("(")
}

func (g *game) endVariation() {
	g.open--
	g.add(")")
}

// json is the canonical form of a game. (model §5)
func (g *game) json() string {
	for g.open > 0 {
		g.endVariation()
	}
	var tags []string
	for _, name := range typed {
		if value, there := g.typed[name]; there {
			tags = append(tags, "["+quoted(name)+","+quoted(value)+"]")
		}
	}
	for _, tag := range g.tags {
		tags = append(tags, "["+quoted(tag[0])+","+quoted(tag[1])+"]")
	}
	fen := "null"
	if g.fen != nil {
		fen = quoted(*g.fen)
	}
	return `{"tags":[` + strings.Join(tags, ",") + `],"fen":` + fen + `,"line":[` + strings.Join(g.line, ",") + "]}"
}

var escapes = map[rune]string{'"': `\"`, '\\': `\\`, '\b': `\b`, '\f': `\f`, '\n': `\n`, '\r': `\r`, '\t': `\t`}

// quoted is a JSON string in which nothing is escaped that need not be.
func quoted(text string) string {
	var out strings.Builder
	out.WriteByte('"')
	for _, letter := range text {
		if escape, there := escapes[letter]; there {
			out.WriteString(escape)
		} else if letter < 0x20 {
			fmt.Fprintf(&out, `\u%04x`, letter)
		} else {
			out.WriteRune(letter)
		}
	}
	out.WriteByte('"')
	return out.String()
}

// date writes a date of which each part may be unknown, that is 0.
func date(year, month, day int) string {
	part := func(number, digits int) string {
		if number == 0 {
			return "????"[:digits]
		}
		return fmt.Sprintf("%0*d", digits, number)
	}
	return part(year, 4) + "." + part(month, 2) + "." + part(day, 2)
}

var windows1252 = []rune("€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ")

// decode reads UTF-8; bytes that are none are Windows-1252. (dcg §6.4.10)
func decode(data []byte) string {
	var out strings.Builder
	for len(data) > 0 {
		letter, size := utf8.DecodeRune(data)
		if letter == utf8.RuneError && size == 1 {
			letter = rune(data[0])
			if letter >= 0x80 && letter < 0xa0 {
				letter = windows1252[letter-0x80]
			}
		}
		out.WriteRune(letter)
		data = data[size:]
	}
	return out.String()
}

var lineEnd = regexp.MustCompile("\r+\n")

// bounds say how far records may reach. (dcg §6.5.6)
type bounds []uint64

func newBounds(starts []uint64) bounds {
	sort.Slice(starts, func(one, other int) bool { return starts[one] < starts[other] })
	var found bounds
	for number := 0; number < len(starts); number += 8 {
		found = append(found, starts[number])
	}
	return found
}

func (b bounds) allowed(start, size uint64) uint64 {
	const least = 512
	second := sort.Search(len(b), func(number int) bool { return b[number] >= start }) + 1
	if size <= least || second >= len(b) {
		return size
	}
	most := b[second] - start
	if most < least {
		most = least
	}
	if size < most {
		return size
	}
	return most
}
