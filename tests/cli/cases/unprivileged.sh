# poop panics without permission for counters: an ordinary user measures what is permitted.
[ "$(id -u)" = 0 ] || skip "not root"
command -v setpriv >/dev/null || skip "no setpriv"
cp "$(readlink -f "$(command -v abstat)")" /tmp/abstat.$$ && chmod 755 /tmp/abstat.$$
setpriv --reuid=65534 --regid=65534 --clear-groups /tmp/abstat.$$ stat -r 3 -- true >out 2>err
echo "status $?"
rm -f /tmp/abstat.$$
grep -c 'seconds time elapsed' out
