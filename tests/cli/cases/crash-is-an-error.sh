# perf stat -r: a command killed by SIGSEGV in every run still prints statistics and exits 0.
run abstat stat -r 3 -- sh -c 'kill -SEGV $$'
run abstat compare -r 3 "sh -c 'kill -SEGV \$\$'" true
