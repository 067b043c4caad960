# What was measured and saved is judged as it was judged when it was measured.
abstat compare -r 8 --seed=1 --save=runs -j -e page-faults,task-clock true 'sh -c :' >measured
abstat diff -j runs >judged
for f in measured judged; do sed -n '/^"comparisons"/,/^"evidence"/{/^"evidence"/!p}' $f >$f.part; done
cmp measured.part judged.part && echo "the same to the byte"
wc -l <runs
