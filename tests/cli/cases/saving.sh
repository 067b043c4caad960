# A file is never overwritten unasked, a full disk is an error that says what is safe.
abstat stat -r 2 -e task-clock --save=runs -- true >/dev/null
run abstat stat -r 2 -e task-clock --save=runs -- true
abstat stat -r 2 -e task-clock --save=runs --force -- true >/dev/null
echo "status $?"
abstat stat -r 2 -e task-clock --save=/dev/full -- true 2>&1 >out | sed "s,; .*,,"
