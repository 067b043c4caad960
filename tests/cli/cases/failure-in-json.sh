# A failed measurement is a document too, with its status and the error.
abstat stat -r 3 -j -- sh -c 'echo oops >&2; exit 3' >out 2>err
echo "status $?"
field schema <out
field status <out
field error <out
# Also where there was nothing to measure or to read.
for command in 'stat -j -r 1 --primary=nosuch -- true' 'stat -j -r 1 -e nosuch -- true' 'diff -j none none' \
	'report -j none'; do
	abstat $command >out 2>err
	echo "status $? $(field schema <out) $(field status <out) $(field error <out)"
done
