# SPDX-License-Identifier: GPL-2.0-or-later
# Completion of abstat for fish.

# True if the command is one of the arguments; without arguments, if there is none yet.
function __abstat_command
    set -l words (commandline -opc)
    if test (count $argv) -eq 0
        test (count $words) -eq 1
    else
        test (count $words) -gt 1; and contains -- $words[2] $argv
    end
end

function __abstat_events
    printf '%s\n' cycles instructions cache-references cache-misses branches branch-misses \
        ref-cycles stalled-cycles-frontend stalled-cycles-backend task-clock cpu-clock \
        page-faults minor-faults major-faults context-switches cpu-migrations \
        L1-dcache-loads L1-dcache-load-misses LLC-loads LLC-load-misses \
        duration_time user_time system_time max_rss
end

complete -c abstat -f -n __abstat_command -a stat -d 'run one command many times'
complete -c abstat -f -n __abstat_command -a compare -d 'run commands in random blocks and judge each against the first'
complete -c abstat -f -n __abstat_command -a diff -d 'judge saved or imported results'
complete -c abstat -f -n __abstat_command -a elf -d 'what differs between two binaries'
complete -c abstat -f -n __abstat_command -a report -d 'print a record again'
complete -c abstat -f -n __abstat_command -a plan -d 'how many runs it takes to see an effect'
complete -c abstat -f -n __abstat_command -a calibrate -d 'run a command against itself'
complete -c abstat -f -n __abstat_command -a demo -d 'run an experiment of the field, and judge it'
complete -c abstat -f -n __abstat_command -a list -d 'the events and metrics that there are, and whether each counts here'

# What is counted
complete -c abstat -n '__abstat_command stat compare calibrate' -s e -l event -x -a '(__fish_complete_list , __abstat_events)' -d 'events, separated by commas'
complete -c abstat -n '__abstat_command stat compare calibrate' -s d -l detailed -d 'more cache events'
complete -c abstat -n '__abstat_command stat compare calibrate' -s n -l null -d 'no counters'
complete -c abstat -n '__abstat_command stat compare calibrate' -l metric -x -d 'a metric computed from others'
complete -c abstat -n '__abstat_command stat compare calibrate' -l extract -x -d 'a metric that the command prints'
complete -c abstat -n '__abstat_command stat compare calibrate' -l multiplex -d 'let the kernel take turns and scale'
complete -c abstat -n '__abstat_command stat compare calibrate' -s a -l all-cpus -d 'count on all CPUs'
complete -c abstat -n '__abstat_command stat compare calibrate' -s C -l cpu -x -d 'count on these CPUs only'
complete -c abstat -n '__abstat_command stat compare calibrate' -s A -l no-aggr -d 'a row a CPU'

# Which parts of the run are measured
complete -c abstat -n '__abstat_command stat compare' -l scope -x -d 'attribute the counters to a part of the run'
complete -c abstat -n '__abstat_command stat compare' -l probed-only -d 'make no runs without probes'

# How many runs
complete -c abstat -n '__abstat_command stat compare calibrate' -s r -l repeat -l runs -x -d 'exactly N runs of each'
complete -c abstat -n '__abstat_command stat compare calibrate' -l min-runs -x -d 'at least N runs of each'
complete -c abstat -n '__abstat_command stat compare calibrate' -l max-runs -x -d 'at most N runs of each'
complete -c abstat -n '__abstat_command stat compare calibrate' -l max-time -x -d 'start no further block after TIME'
complete -c abstat -n '__abstat_command stat compare calibrate' -l precision -x -d 'stop when the interval is that narrow'
complete -c abstat -n '__abstat_command stat compare calibrate' -l warmup -x -d 'blocks run first and not counted'
complete -c abstat -n '__abstat_command stat compare calibrate' -l seed -x -d 'draw the orders from N'

# How a run is executed
complete -c abstat -n '__abstat_command stat compare calibrate' -s L -l parameter-list -x -d 'a parameter and its values'
complete -c abstat -n '__abstat_command stat compare calibrate' -l name -x -d 'what a command is called'
complete -c abstat -n '__abstat_command stat compare calibrate' -l shell -d 'run each command by sh -c'
complete -c abstat -n '__abstat_command stat compare calibrate' -l setup -x -d 'once, before the first block'
complete -c abstat -n '__abstat_command stat compare calibrate' -l prepare -l pre -x -d 'before every run'
complete -c abstat -n '__abstat_command stat compare calibrate' -l conclude -l post -x -d 'after every run'
complete -c abstat -n '__abstat_command stat compare calibrate' -l cleanup -x -d 'once, at the end'
complete -c abstat -n '__abstat_command stat compare calibrate' -l run-timeout -x -d 'kill a run that takes longer'
complete -c abstat -n '__abstat_command stat compare calibrate' -l stragglers -x -a 'kill wait error' -d 'processes that outlive the command'
complete -c abstat -n '__abstat_command stat compare calibrate' -l stdin -r -d 'each run reads FILE'
complete -c abstat -n '__abstat_command stat compare calibrate' -l stdout -r -a 'null pipe inherit' -d 'where the output goes'
complete -c abstat -n '__abstat_command stat compare calibrate' -l cwd -x -a '(__fish_complete_directories)' -d 'run in DIR'
complete -c abstat -n '__abstat_command stat compare calibrate' -l env -x -d 'set or remove a variable'
complete -c abstat -n '__abstat_command stat compare calibrate' -l cpus -x -d 'run on these CPUs only'
complete -c abstat -n '__abstat_command stat compare calibrate' -l layout -x -a 'aslr block' -d 'memory layout'
complete -c abstat -n '__abstat_command stat compare calibrate' -l ok-status -x -d 'exit statuses that are success'
complete -c abstat -n '__abstat_command stat compare calibrate' -l ignore-failure -d 'go on when a run fails'

# How the runs are judged
complete -c abstat -n '__abstat_command stat compare diff report plan calibrate' -l primary -x -a '(__abstat_events)' -d 'the metric that decides'
complete -c abstat -n '__abstat_command compare diff report' -l margin -x -d 'differences within it are the same'
complete -c abstat -n '__abstat_command compare diff report plan calibrate' -l alpha -x -d 'how often equal commands may be called different'
complete -c abstat -n '__abstat_command compare diff report' -l gate -d 'is it worse by more than M%'
complete -c abstat -n '__abstat_command compare diff report' -l unclear-status -x -d 'exit with N instead of 125'
complete -c abstat -n '__abstat_command compare diff report' -l baseline -x -d 'compare with this variant'
complete -c abstat -n '__abstat_command compare diff report' -l pairs -x -d 'compare these pairs'
complete -c abstat -n '__abstat_command compare diff report' -l fdr -d 'correct secondary metrics for the false discovery rate'
complete -c abstat -n '__abstat_command stat compare diff report' -l higher-is-better -x -a '(__abstat_events)' -d 'more of it is better'
complete -c abstat -n '__abstat_command stat compare diff report' -l lower-is-better -x -a '(__abstat_events)' -d 'less of it is better'

# Where the runs are kept
complete -c abstat -n '__abstat_command stat compare calibrate' -l save -r -d 'append every run to FILE'
complete -c abstat -n '__abstat_command stat compare calibrate' -l force -d 'let --save replace a file'
complete -c abstat -n '__abstat_command stat compare calibrate' -l resume -r -d 'go on with an interrupted comparison'

# What is printed
complete -c abstat -n '__abstat_command stat compare diff elf report plan calibrate' -s j -l json -d JSON
complete -c abstat -n '__abstat_command stat compare diff elf report' -s x -l field-separator -x -d CSV
complete -c abstat -n '__abstat_command stat compare diff elf report' -l format -x -a 'text json csv markdown' -d 'format of the report'
complete -c abstat -n '__abstat_command stat compare diff elf report plan calibrate' -s o -l output -r -d 'write the report to FILE'
complete -c abstat -n '__abstat_command stat compare diff elf report' -l color -x -a 'auto always never' -d colours
complete -c abstat -n '__abstat_command stat compare diff elf report' -s v -l verbose -d 'more of what was measured'
complete -c abstat -n '__abstat_command stat compare diff elf report calibrate' -s q -l quiet -d 'no progress line'

# What is read
complete -c abstat -n '__abstat_command diff' -l before -r -d 'results before the change'
complete -c abstat -n '__abstat_command diff' -l after -r -d 'results after it'
complete -c abstat -n '__abstat_command diff report' -l metric -x -d 'compute a metric from others'
complete -c abstat -n '__abstat_command diff report plan' -l column -x -d 'of plain columns, read these'
complete -c abstat -n '__abstat_command diff report' -l runs -x -d 'what perf stat -x or -j printed are means of N'
complete -c abstat -n '__abstat_command diff report' -l summary -x -d 'numbers from a mail'

complete -c abstat -n '__abstat_command plan' -l runs -x -d 'the runs that means are of'
complete -c abstat -n '__abstat_command plan' -l effect -x -d 'the change that is to be seen'

# abstat list
complete -c abstat -n '__abstat_command list' -f -a '(__abstat_events)'
complete -c abstat -n '__abstat_command list' -l scopes -r -d 'list what can be scoped in a binary'
complete -c abstat -n '__abstat_command list' -s j -l json -d JSON
complete -c abstat -n '__abstat_command list' -s x -l field-separator -x -d 'CSV, columns separated by it'
complete -c abstat -n '__abstat_command list' -s o -l output -r -d 'write the list to a file'

# What differs between binaries
complete -c abstat -n '__abstat_command elf' -l compressed -d 'also the size of the contents, compressed'
complete -c abstat -n '__abstat_command elf' -l function -x -d 'show the instructions of a function'
complete -c abstat -n '__abstat_command compare' -l no-evidence -d 'do not look at what differs between the programs'

# abstat demo
complete -c abstat -n '__abstat_command demo' -f -a 'markers prefetch hlist buffer-init messaging alloc-loop'
complete -c abstat -n '__abstat_command demo' -s s -l scale -x -d 'that many times the work'
complete -c abstat -n '__abstat_command demo' -s p -l print -d 'print the commands, and run nothing'

# Help
complete -c abstat -n '__abstat_command stat compare diff elf report plan calibrate demo list' -s '?' -l help -d 'show the options'
complete -c abstat -n '__abstat_command stat compare diff elf report plan calibrate demo list' -l usage -d 'show them in short'
complete -c abstat -n '__abstat_command stat compare diff elf report plan calibrate demo list' -s V -l version -d 'show the version'
