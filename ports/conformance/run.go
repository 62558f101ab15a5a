// Runs a port over the cases of the bundle. (README.md)
//
//	go run run.go                              are the files of the bundle intact?
//	go run run.go FORMAT|all PORT [WORD ...]   does `PORT WORD ... FILE [--encoding E] [--option O]` print the lines?
package main

import (
	"encoding/json"
	"fmt"
	"hash/crc32"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

type file struct{ Name, Crc32 string }

type bundle struct {
	Cases []struct {
		Name, Open, Encoding string
		Files                []file
		Covers               []string
		Expected             []struct{ Option, Lines, Crc32 string }
	}
}

// A line with "error" asks for an error in words of your own.
func comparable(text string) string {
	lines := strings.Split(text, "\n")
	for number, line := range lines {
		_, game, found := strings.Cut(line, `","game":`)
		if found && strings.HasPrefix(line, `{"error":"`) {
			lines[number] = "error" + game
		}
	}
	return strings.Join(lines, "\n")
}

func main() {
	about, err := os.ReadFile("manifest.json")
	var all bundle
	if err == nil {
		err = json.Unmarshal(about, &all)
	}
	if err != nil {
		fmt.Println("start it in the folder of manifest.json:", err)
		os.Exit(2)
	}
	wanted, port := "all", []string{}
	if len(os.Args) > 1 {
		wanted, port = os.Args[1], os.Args[2:]
	}
	passed, failed := 0, 0
	for _, c := range all.Cases {
		folder := filepath.Join("fixtures", c.Name)
		if wanted != "all" && wanted != strings.Split(c.Name, "/")[0] {
			continue
		}
		for _, e := range c.Expected {
			good := true
			for _, f := range append([]file{{e.Lines, e.Crc32}}, c.Files...) {
				bytes, err := os.ReadFile(filepath.Join(folder, f.Name))
				good = good && err == nil && fmt.Sprintf("%08x", crc32.ChecksumIEEE(bytes)) == f.Crc32
			}
			if good && len(port) > 0 {
				words := append(append([]string{}, port[1:]...), filepath.Join(folder, c.Open))
				if c.Encoding != "" {
					words = append(words, "--encoding", c.Encoding)
				}
				if e.Option != "" {
					words = append(words, "--option", e.Option)
				}
				got, _ := exec.Command(port[0], words...).Output() // a damaged base may end with any code
				lines, _ := os.ReadFile(filepath.Join(folder, e.Lines))
				good = comparable(string(got)) == comparable(string(lines))
			}
			if good {
				passed++
			} else {
				failed++
				fmt.Println("differs:", c.Name, e.Lines, "rules", strings.Join(c.Covers, ", "))
			}
		}
	}
	fmt.Printf("%d passed, %d failed\n", passed, failed)
	if failed > 0 || passed == 0 {
		os.Exit(1)
	}
}
