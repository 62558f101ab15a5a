# tkscid export.tcl CODEC STEM PGN: exports a base as PGN and times it.
# Milliseconds of processor time of this process, with the threads that have ended: fields 14 and 15 of
# proc(5), in ticks of ten.
proc processor {} {
  set file [open /proc/self/stat]
  set fields [split [lindex [split [read $file] ")"] end]]
  close $file
  return [expr {([lindex $fields 12] + [lindex $fields 13]) * 10}]
}

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
