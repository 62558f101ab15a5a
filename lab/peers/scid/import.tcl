# tkscid import.tcl CODEC STEM PGN...: imports PGN files into a new base and times it.
source [file join [file dirname [info script]] processor.tcl]
lassign $argv codec base
fconfigure stdout -encoding utf-8
set start [clock milliseconds]
set begun [processor]
set id [sc_base create $codec $base]
foreach pgn [lrange $argv 2 end] {
  puts "$pgn: [lindex [sc_base import $id $pgn] 0] games"
}
sc_base close $id
puts "milliseconds [expr {[clock milliseconds] - $start}]"
puts "processor_ms [expr {[processor] - $begun}]"
