# tkscid import.tcl CODEC STEM PGN...: imports PGN files into a new base and times it.
# Milliseconds of processor time of this process, with the threads that have ended: fields 14 and 15 of
# proc(5), in ticks of ten.
proc processor {} {
  set file [open /proc/self/stat]
  set fields [split [lindex [split [read $file] ")"] end]]
  close $file
  return [expr {([lindex $fields 12] + [lindex $fields 13]) * 10}]
}

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
