#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What abstat elf takes for two large programs: elapsed time, CPU time and peak memory.
#
#   elf-large.sh ABSTAT [ROUNDS]
#
# The programs are made here, of some 40 MB and 60,000 functions each: 1,000 functions of C, compiled
# in two ways, 60 times under other names. Compared are two programs that have them in opposite orders,
# a few of the 60 compiled the other way; and one with itself. Fails if one of them takes 3 s of CPU time
# in user mode or 1 GiB, by the median of ROUNDS (5). What it costs where all functions differ is printed,
# and bounded in memory. Needs cc, ld and objcopy; CC, LD and OBJCOPY may name others.
set -eu
abstat=$1 rounds=${2:-5}
cc=${CC:-cc} ld=${LD:-ld} objcopy=${OBJCOPY:-objcopy}
copies=60 functions=1000
most_seconds=3 most_mib=1024
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

source_of() {
	awk -v n="$functions" 'BEGIN {
		srand(1)
		print "struct node { struct node *next; long value, weight[4]; };"
		print "extern int report(const char *, ...);"
		for (i = 0; i < n; i++)
			printf "long f%d(struct node *, long, long);\nlong g%d, table%d[16] = {%d, %d};\n",
				i, i, i, i, rand() * 1000
		for (i = 0; i < n; i++) {
			printf "long f%d(struct node *p, long x, long y)\n{\n\tlong sum = x;\n", i
			for (k = 0; k < 2; k++) {
				a = int(rand() * n)
				c = int(rand() * 100000)
				printf "\tfor (struct node *q = p; q; q = q->next)\n"
				printf "\t\tsum += q->value * %d + q->weight[%d] + table%d[y & 15];\n", c, k % 4, a
				printf "\tif (sum > %d)\n\t\tsum ^= f%d(p->next, sum, y + %d);\n", c, a, k
				if (!k)
					printf "\telse if (y == 9)\n\t\treport(\"of %d: %%ld\\n\", sum);\n", i
				printf "\tg%d += sum;\n", a
			}
			print "\tswitch (y) {"
			for (k = 0; k < 5; k++)
				printf "\tcase %d:\n\t\treturn sum * %d + g%d;\n", k, rand() * 1000, int(rand() * n)
			print "\t}\n\treturn sum;\n}"
		}
	}'
}

# link NAME COPY:BUILD...: a program of these copies, in this order.
link() {
	local name=$1 objects=()
	shift
	for copy; do
		objects+=("$work/${copy#*:}-${copy%:*}.o")
	done
	"$ld" -pie --build-id=none -e 0 --unresolved-symbols=ignore-all -o "$work/$name" "${objects[@]}"
}

source_of >"$work/source.c"
flags=(-w -fPIE -fno-reorder-blocks-and-partition -ffunction-sections)
"$cc" "${flags[@]}" -O1 -c "$work/source.c" -o "$work/one.o"
"$cc" "${flags[@]}" -O2 -c "$work/source.c" -o "$work/other.o"
old=() new=() all=()
for i in $(seq "$copies"); do
	for build in one other; do
		"$objcopy" --prefix-symbols="copy${i}_" "$work/$build.o" "$work/$build-$i.o"
	done
	old+=("$i:one")
	all+=("$i:other")
	[ $((i % 20)) -eq 0 ] && new=("$i:other" "${new[@]}") || new=("$i:one" "${new[@]}")
done
link old "${old[@]}"
link new "${new[@]}"
link all "${all[@]}"
for name in old new all; do
	echo "$name: $(($(stat -c %s "$work/$name") / 1000000)) MB"
done

# The median of metric $1 in the rounds.
median() {
	awk -F '\t' -v metric="$1" '$2 == metric { print $12 }' "$work/rounds"
}

# Prints what comparing $1 with $2 takes; fails if that is too much.
measure() {
	"$abstat" stat -q -n -r "$rounds" --warmup=1 --ok-status=0,1 -x $'\t' -o "$work/rounds" -- \
		"$abstat" elf -j "$work/$1" "$work/$2" >/dev/null
	awk -v pair="$1 $2" -v elapsed="$(median duration_time)" -v user="$(median user_time)" \
		-v kernel="$(median system_time)" -v peak="$(median max_rss)" \
		-v seconds="$most_seconds" -v mib="$most_mib" 'BEGIN {
		user /= 1e9
		peak /= 1048576
		bad = !(user > 0 && user < seconds) || !(peak > 0 && peak < mib)
		printf "%-8s %.2f s elapsed, %.2f s CPU in user mode and %.2f in the kernel, %.0f MiB%s\n",
			pair, elapsed / 1e9, user, kernel / 1e9, peak,
			bad ? ": too much" : ""
		exit bad
	}'
}

"$abstat" elf -j "$work/old" "$work/new" >"$work/report" || [ $? -eq 1 ]
grep -oE '"functions_(compared|changed)":[0-9]+' "$work/report"
failed=0
measure old new || failed=1
measure old old || failed=1
most_seconds=1000
measure old all || failed=1
exit $failed
