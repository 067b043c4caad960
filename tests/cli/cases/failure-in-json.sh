# A failed measurement is a document too, with its status and the error.
abstat stat -r 3 -j -- sh -c 'echo oops >&2; exit 3' >out 2>err
echo "status $?"
field schema <out
field status <out
field error <out
