// A reader of DCG, the Simple Chess Database. It prints the canonical line of each game (model §5):
//
//	dcg FILE [--option promotions=program|described]
//
// It is a port as the runners of ports/conformance want it.
package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "dcg FILE [--option NAME=VALUE]")
		os.Exit(2)
	}
	promotions := ""
	for number, word := range os.Args[2:] {
		if word == "--option" && number+3 < len(os.Args) {
			promotions = strings.TrimPrefix(os.Args[number+3], "promotions=")
		}
	}
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	base, err := open(os.Args[1], promotions)
	if err != nil {
		fmt.Fprintln(out, line(newGame(), err))
		return
	}
	for number := 0; number < base.length; number++ {
		fmt.Fprintln(out, line(base.game(number)))
	}
}

func line(g *game, err error) string {
	if err != nil {
		return `{"error":` + quoted(err.Error()) + `,"game":` + g.json() + "}"
	}
	return g.json()
}

// open reads the files of the folder that have the stem of the file, whatever the case of their letters.
func open(path, promotions string) (*base, error) {
	stem := func(name string) string { return strings.ToLower(strings.TrimSuffix(name, filepath.Ext(name))) }
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, entry := range entries {
		name := entry.Name()
		if entry.IsDir() || stem(name) != stem(filepath.Base(path)) {
			continue
		}
		data, err := os.ReadFile(filepath.Join(filepath.Dir(path), name))
		if err != nil {
			return nil, err
		}
		files[strings.ToLower(filepath.Ext(name))] = data
	}
	return newBase(files, promotions)
}
