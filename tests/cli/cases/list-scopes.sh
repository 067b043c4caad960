# What can be scoped in a binary, by the names that --scope takes.
command -v cc >/dev/null || skip "needs a C compiler"
printf 'static __attribute__((noipa)) int twin(int n) { return n; }\n%s\n' \
	'int other(int); int main(void) { return twin(0) + other(0); }' >one.c
printf 'static __attribute__((noipa)) int twin(int n) { return -n; }\n%s\n' \
	'int other(int n) { return twin(n); }' >two.c
cc -O1 -o program one.c two.c
# Who may not use probes takes breakpoints.
any_engine() { sed -E 's/^(  [^ ]+ +|"?[a-z]+,function,)breakpoint/\1uprobe/' | grep -vE '^(uprobe|breakpoint):'; }
run abstat list --scopes=program twin | any_engine
run abstat list --scopes program -x, main | any_engine | sed 's/[0-9]*,[0-9]*$/A,S/'
abstat list --scopes program -j main | python3 -c '
import json, sys
page = json.load(sys.stdin)
print(page["schema"], page["file"], page["stripped"], [e["name"] for e in page["engines"]])
print([sorted(s) for s in page["scopes"]][0])
works = {e["name"]: e["works"] for e in page["engines"]}
engine = "breakpoint" if works["breakpoint"] and not works["uprobe"] else "uprobe"
print([(s["name"], s["kind"], s["engine"] == engine, s["reason"]) for s in page["scopes"] if s["name"] == "main"])'
run abstat list --scopes program nosuch
strip -o stripped program
run abstat list --scopes stripped nosuch
printf '#!/bin/sh\n' >script
run abstat list --scopes script
run abstat list --scopes one.c
run abstat list --scopes nothing
run abstat list --scopes program a b
# Marked regions are listed as they are chosen, and what the header adds to the program is not its own.
cat >marked.c <<'EOF'
#include <abstat/region.h>
static __attribute__((noinline)) int work(int n)
{
	ABSTAT_REGION_BEGIN(inner);
	__asm__ volatile("" : "+r"(n));
	ABSTAT_REGION_END(inner);
	return n;
}
int main(int argc, char **argv)
{
	(void)argv;
	ABSTAT_REGION_BEGIN(parse);
	argc = work(argc) + work(2);
	ABSTAT_REGION_END(parse);
	return argc == 3 ? 0 : 1;
}
EOF
cc -O2 -I"$CASES/../../../include" -o marked marked.c
run abstat list --scopes marked | any_engine | grep -v '^  [_a-z]* '
abstat list --scopes marked -x, | cut -d, -f1-3 | any_engine | grep -iE '^(main|.*region.*)'
abstat list --scopes marked -j | grep -oE '"name":"[^"]*","(works|kind":"region","engine":"region)"'
strip -o stripped marked
run abstat list --scopes stripped region: | grep -v '^The file is stripped'
# All that is listed can be chosen.
for name in $(abstat list --scopes stripped region: -x, | sed -n 's/,region,.*//p'); do
	abstat stat -q -r 1 -e page-faults --scope "$name" --probed-only -j -- ./stripped |
		field mean "\"name\":\"${name#region:}/calls\""
done
# A command is found as it is run; markers are listed as they are written.
abstat list --scopes true -x, | head -n 1
abstat list --scopes marked usdt: -x, | cut -d, -f1-2
# An ordinary user gets breakpoints, but not of markers behind semaphores.
cat >guarded.c <<'EOF'
unsigned short guard __attribute__((section(".probes")));
#define MARKER(name, guard) __asm__ volatile("990: nop\n.pushsection .note.stapsdt,\"\",\"note\"\n" \
	".balign 4\n.4byte 992f-991f,994f-993f,3\n991: .asciz \"stapsdt\"\n992: .balign 4\n" \
	"993: .8byte 990b,0," guard "\n.asciz \"p\"\n.asciz \"" name "\"\n.asciz \"\"\n" \
	"994: .balign 4\n.popsection")
int main(void)
{
	MARKER("b", "guard");
	MARKER("e", "guard");
	MARKER("free", "0");
	return 0;
}
EOF
there=$(mktemp -d /tmp/listed.XXXXXX) && chmod 755 "$there"
trap 'rm -rf "$there"' EXIT
cp "$(readlink -f "$(command -v abstat)")" "$there/abstat"
cc -no-pie -fno-pie -o "$there/guarded" guarded.c
as_user() { setpriv --reuid=65534 --regid=65534 --clear-groups "$there/abstat" "$@"; }
if [ "$(id -u)" = 0 ] && grep -qw uprobe_register /proc/kallsyms && [ "$(uname -m)" = x86_64 ] &&
	as_user list --scopes "$there/guarded" -j usdt | grep -q '"name":"breakpoint","works":true'; then
	as_user list --scopes "$there/guarded" -x, usdt: | cut -d, -f1-4
	as_user stat -r 1 -e page-faults --scope usdt:p:b..p:e -- "$there/guarded" 2>&1
else
	echo 'name,kind,engine,reason'
	echo "usdt:p:b,marker,,behind a semaphore: takes the kernel's probes"
	echo "usdt:p:e,marker,,behind a semaphore: takes the kernel's probes"
	echo 'usdt:p:free,marker,breakpoint,'
	printf '%s' "abstat: scope 'p:b..p:e': the markers are behind semaphores: a program passes them by " \
		"until a probe of the kernel counts those up, and this user may not use the kernel's probes: " \
		'run as root'
	echo
fi
# What is damaged is no program without markers.
for cut in 8 30; do
	python3 - "$there/guarded" damaged $cut <<'EOF'
import sys
data = bytearray(open(sys.argv[1], "rb").read())
at = data.find(b"stapsdt") - 12
# The size of a note's description: less than it holds, or more than there is.
data[at + 4:at + 8] = (8 if sys.argv[3] == "8" else 1 << 20).to_bytes(4, sys.byteorder)
open(sys.argv[2], "wb").write(data)
EOF
	run abstat list --scopes damaged usdt:
	chmod +x damaged
	run abstat stat -r 1 -e page-faults --scope usdt:p:b..p:e -- ./damaged
done
# A semaphore must be where the kernel can count it up.
sed 's/"guard"/"main"/' guarded.c >unguarded.c
cc -no-pie -fno-pie -o unguarded unguarded.c
run abstat stat -r 1 -e page-faults --scope usdt:p:b..p:e -- ./unguarded | sed 's/0x[0-9a-f]*/ADDRESS/'
