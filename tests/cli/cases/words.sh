# poop splits argv on blanks only: quotes, backslashes and assignments are a shell's.
for c in "printf '%s|' 'a b' \"c d\" e\\ f ''" "FOO='1 2' sh -c 'printf %s \"\$FOO\"'"; do
	abstat compare --warmup=0 -r 1 --stdout=out "$c" "$c" >/dev/null
	cat out
	echo
done
# stat takes words, and one string where nothing is called that.
abstat stat --warmup=0 -r 1 --stdout=out "printf '%s|' 'a b' c" >/dev/null
cat out
echo
printf '#!/bin/sh\necho "$0"\n' >'a b'
chmod +x 'a b'
abstat stat --warmup=0 -r 1 --stdout=out './a b' >/dev/null
cat out
