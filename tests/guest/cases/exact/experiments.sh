# SPDX-License-Identifier: GPL-2.0-or-later
# The experiments of `abstat demo`, where it is known to the instruction what each variant does more.
at=/guest/libexec/abstat

# count PROGRAM ARGUMENT...: its user instructions. The start of a program takes a few more where a
# string of its command line lies at the end of a page: the median of five runs has none of these.
count() {
	program=$1
	shift
	abstat stat -q -j -e instructions:u -r 5 --warmup 0 -- $at/$program "$@" >counted 2>err
	jget counted 'variants.0.metrics."name=instructions:u".median'
}

# per PROGRAM N ARGUMENT... NAME: how many instructions N more of NAME take. What a program does once
# is in both numbers, which have the same number of digits.
grows() {
	program=$1 argument=$2 less=$3 more=$4
	shift 4
	echo $(($(count $program "$@" --$argument=$more) - $(count $program "$@" --$argument=$less)))
}

# Drawn for this run: from 100,000 to 999,999.
n1=$FLAT_N1 n2=$FORK_N1
[ $n1 -lt $n2 ] || { n1=$FORK_N1 n2=$FLAT_N1; }
n=$((n2 - n1))

none=$(grows prefetch-none count $n1 $n2)
is "$n rounds of a loop" $none $((2 * n))
is "with a prefetch of NULL" $(grows prefetch-null count $n1 $n2) $((3 * n))
is "with one of a valid address" $(grows prefetch-valid count $n1 $n2) $((3 * n))

# For what makes system calls, which take long to emulate.
k1=$((100 + n1 % 100)) k2=$((200 + n2 % 800))
k=$((k2 - k1))
for accesses in 0 7; do
	none=$(grows markers-none loops $k1 $k2 --timed=0 --accesses=$accesses)
	immediate=$(grows markers-immediate loops $k1 $k2 --timed=0 --accesses=$accesses)
	memory=$(grows markers-memory loops $k1 $k2 --timed=0 --accesses=$accesses)
	is "40 nops in each of $k calls, $accesses accesses apart" $((immediate - none)) $((40 * k))
	is "40 loads, each with its address and branch" $((memory - none)) $((120 * k))
done

# Whole chains of 4 and of 64, in as many parts as lookups are timed in: multiples of 3200 nodes.
less=$((3200 * (10 + n1 % 10))) more=$((3200 * (20 + n2 % 10)))
for chain in 4 64; do
	plain=$(grows hlist-plain visits $less $more --timed=0 --megabytes=1 --chain=$chain)
	prefetch=$(grows hlist-prefetch visits $less $more --timed=0 --megabytes=1 --chain=$chain)
	is "a prefetch a node, of $((more - less)) in chains of $chain" $((prefetch - plain)) $((more - less))
done

is "initialised at the free or at the allocation: as many instructions for $k buffers" \
	"$(grows buffer-init-at-free count $k1 $k2 --cpus=1 --buffers=16)" \
	"$(grows buffer-init-at-alloc count $k1 $k2 --cpus=1 --buffers=16)"
run_json compare -e instructions:u -r 6 --name free "$at/buffer-init-at-free --cpus=1 --count=$k1" \
	--name alloc "$at/buffer-init-at-alloc --cpus=1 --count=$k1"
near "which is the same" "$(json comparisons.0.metrics.0.change.estimate)" -0.001 0.001

more=$((200 + n2 % 3 * 100))
for pipes in 0 1; do
	plain=$(grows messaging loops 100 $more --tasks=2 --pipes=$pipes)
	is "one more pointer: not one instruction a message" \
		"$(grows messaging-pointer loops 100 $more --tasks=2 --pipes=$pipes)" "$plain"
	is "3 % more messages: 3 % more instructions" \
		$((100 * $(grows messaging-more loops 100 $more --tasks=2 --pipes=$pipes))) $((103 * plain))
done

for cell in libc cache-plain cache-signal plain signal; do
	grown=$(grows alloc-$cell count $k1 $k2)
	is "$cell: a whole number of instructions a pair" $((grown % k)) 0
	eval "$(echo $cell | tr - _)=$((grown / k))"
done
ok "a cache saves instructions" [ $cache_plain -lt $plain ]
ok "with signals blocked, too" [ $cache_signal -lt $signal ]
ok "blocking signals takes many" [ $signal -gt $((plain + 100)) -a $cache_signal -gt $((cache_plain + 100)) ]

# The commands that the experiments recommend, where there is a PMU.
run abstat demo --scale 0.05 prefetch -- -j -r 8
is "prefetch: cycles decide" "$(json comparisons.0.metrics.0.name)" cycles:u
is "a prefetch takes time" "$(json comparisons.0.verdict)" worse
is "one of NULL does" "$(json comparisons.1.verdict)" worse
says "the command is told" err '^\$ abstat compare -e cycles:u,instructions:u '
run abstat demo --scale 0.1 messaging -- -j -r 2
is "messaging: the kernel's cycles decide, too" "$(json comparisons.0.metrics.0.name)" cycles
run_json compare -e instructions:u -r 8 --margin 2% --name plain "$at/messaging --tasks=2 --loops=100" \
	--name pointer "$at/messaging-pointer --tasks=2 --loops=100" \
	--name more "$at/messaging-more --tasks=2 --loops=100"
near "one more pointer is the same" "$(json comparisons.0.metrics.0.change.estimate)" -0.003 0.003
is "3 % more messages are worse" "$(json comparisons.1.verdict)" worse
near "by nearly as much" "$(json comparisons.1.metrics.0.change.estimate)" 0.01 0.03
run abstat demo --scale 0.05 alloc-loop -- -j -r 8
is "alloc-loop: a cache" "$(json comparisons.0.verdict)" better
is "with signals blocked" "$(json comparisons.1.verdict)" worse
is "a common list" "$(json comparisons.2.verdict)" better
is "with signals blocked" "$(json comparisons.3.verdict)" worse
