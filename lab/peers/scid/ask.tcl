# tkscid ask.tcl CODEC STEM QUESTION [COUNT]: opens a base, evaluates the script QUESTION, and prints
# the processor time of both and the number of games. COUNT is a script for that number; it may use
# $answer, and is the size of the filter otherwise. $id is the base.
lassign $argv codec base question count
if {$count eq ""} { set count {sc_filter count $id dbfilter} }
proc ::progressCallBack {args} {}

# Milliseconds of processor time of all threads. Linux updates a thread's time when it sleeps.
proc processor {} {
  after 2
  set sum 0
  foreach name [glob /proc/self/task/*/schedstat] {
    set file [open $name]
    incr sum [lindex [read $file] 0]
    close $file
  }
  return [expr {$sum / 1e6}]
}

set start [processor]
set id [sc_base open $codec $base]
sc_base switch $id
set opened [processor]
set answer [eval $question]
set end [processor]
puts "open_ms [expr {$opened - $start}]"
puts "question_ms [expr {$end - $opened}]"
puts "games [eval $count]"
sc_base close $id
