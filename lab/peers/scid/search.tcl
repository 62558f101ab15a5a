# tkscid search.tcl CODEC STEM: loads every game, searches positions and headers, and asks what
# maintenance would do. Two bases of the same games must print the same.
lassign $argv codec base
proc ::progressCallBack {args} {}
set id [sc_base open $codec $base]
sc_base switch $id
set games [sc_base numGames $id]
puts "games $games"

set bad 0
for {set game 1} {$game <= $games} {incr game} {
  if {[catch {sc_game load $game} error]} { incr bad; puts "game $game: $error $::errorCode" }
}
puts "unreadable $bad"

proc hits {} {
  global id games
  set found {}
  foreach {number_ply line deleted} [sc_base gameslist $id 0 $games dbfilter N+] {
    lappend found [lindex [split $number_ply _] 0]
  }
  return "[llength $found] games, crc [zlib crc32 [join $found]]"
}

foreach {name fen} {
  "two knights"    "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4"
  "najdorf"        "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6"
  "after 1.e4"     "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
  "grunfeld"       "rnbqkb1r/ppp1pp1p/5np1/3p4/2PP4/2N5/PP2PPPP/R1BQKBNR w KQkq - 0 4"
  "start"          "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
  "bare kings"     "8/8/4k3/8/8/4K3/8/8 w - - 0 1"
} {
  sc_game startBoard $fen
  foreach type {E P F M} {
    sc_search board RESET $type 0 0
    puts "position $name $type: [hits]"
  }
}
foreach {name options} {
  "white name"   {-white "Carlsen"}
  "black name"   {-black "Karpov"}
  "event"        {-event "ch"}
  "site"         {-site "Moscow"}
  "date"         {-date {1990.01.01 1995.12.31}}
  "elo"          {-welo {2600 3000}}
  "eco"          {-eco {B90 B99}}
  "length"       {-length {10 30}}
  "result"       {-results {1 0 0 0}}
} {
  if {[catch {sc_search header {*}$options -filter RESET} error]} { puts "header $name: $error"; continue }
  puts "header $name: [hits]"
}
puts "compact stats [sc_base compact $id stats]"
puts "flags [sc_base stats $id flags]"
puts "dates [sc_base stats $id dates]"
puts "ratings [sc_base stats $id ratings]"
puts "results [sc_base stats $id results]"
sc_base close $id
