# Children are lost where group reads and inherit do not go together: one program counts as the same work in a child.
abstat stat -r 3 -j -e page-faults -- head -c 1 /dev/zero >alone
abstat stat -r 3 -j -e page-faults -- sh -c 'head -c 1 /dev/zero & wait; head -c 1 /dev/zero; :' >twice
a=$(field mean '"name":"page-faults"' <alone)
b=$(field mean '"name":"page-faults"' <twice)
holds "$b > 2 * $a"
