# tkscid export.tcl CODEC STEM PGN: exports a base as PGN and times it.
source [file join [file dirname [info script]] processor.tcl]
lassign $argv codec base pgn
set id [sc_base open $codec $base]
sc_base switch $id
set start [clock milliseconds]
set begun [processor]
sc_base export filter PGN $pgn -comments 1 -variations 1
puts "games [sc_base numGames $id]"
puts "milliseconds [expr {[clock milliseconds] - $start}]"
puts "processor_ms [expr {[processor] - $begun}]"
sc_base close $id
