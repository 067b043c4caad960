# A long comparison says what it may cost before it starts; an interrupt shows what was measured.
timeout --foreground --preserve-status -s INT 14 abstat compare 'sleep 2' 'sleep 2.1' >out 2>err
echo "status $?"
head -n 1 err | sed 's/[0-9][0-9.]*/N/g'
sed -n '/^ Comparison/p' out | sed 's/[0-9][0-9]*/N/g; s/blocks\{0,1\}/blocks/'
