# What can be scoped in a binary, by the names that --scope takes.
command -v cc >/dev/null || skip "needs a C compiler"
printf 'static __attribute__((noipa)) int twin(int n) { return n; }\n%s\n' \
	'int other(int); int main(void) { return twin(0) + other(0); }' >one.c
printf 'static __attribute__((noipa)) int twin(int n) { return -n; }\n%s\n' \
	'int other(int n) { return twin(n); }' >two.c
cc -O1 -o program one.c two.c
run abstat list --scopes=program twin | grep -v '^uprobe'
run abstat list --scopes program -x, main | sed 's/[0-9]*,[0-9]*$/A,S/'
abstat list --scopes program -j main | python3 -c '
import json, sys
page = json.load(sys.stdin)
print(page["schema"], page["file"], page["stripped"], [e["name"] for e in page["engines"]])
print([sorted(s) for s in page["scopes"]][0])
print([(s["name"], s["kind"], s["engine"], s["reason"]) for s in page["scopes"] if s["name"] == "main"])'
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
run abstat list --scopes marked | sed 's/; this user.*//' | grep -v '^  [_a-z]* '
abstat list --scopes marked -x, | cut -d, -f1-3 | grep -iE '^(main|.*region.*)'
abstat list --scopes marked -j | grep -oE '"name":"[^"]*","(works|kind":"region","engine":"region)"'
strip -o stripped marked
run abstat list --scopes stripped region: | grep -v '^The file is stripped'
# All that is listed can be chosen.
for name in $(abstat list --scopes stripped region: -x, | sed -n 's/,region,.*//p'); do
	abstat stat -q -r 1 -e page-faults --scope "$name" --probed-only -j -- ./stripped |
		field mean "\"name\":\"${name#region:}/calls\""
done
