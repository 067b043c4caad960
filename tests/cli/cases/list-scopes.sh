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
