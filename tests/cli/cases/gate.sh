# --fail-if-larger-than for git bisect: 1 where it is worse, 0 where that is ruled out, 125 where neither is shown.
noise
gate() {
	rm -f a b
	abstat compare -r 12 --seed=1 --primary=v --extract 'v[,lower]=v=([0-9]+)' "$@" >out
	echo "status $? $(grep -o 'Gate [a-z]*' out)"
}
gate --gate=2% './noise a 1000 1' './noise b 1100 1'
gate --gate=2% './noise a 1000 1' './noise b 1000 1'
gate --gate=2% './noise a 1000 10' './noise b 1020 10 3'
gate --gate=2% --unclear-status=0 './noise a 1000 10' './noise b 1020 10 3'
gate './noise a 1000 1' './noise b 1200 1'
