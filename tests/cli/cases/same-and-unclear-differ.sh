# "No change" also means "too noisy" elsewhere.
noise
for step in 1 300; do
	rm -f a b
	abstat compare -r 12 --seed=1 -j --primary=v --extract 'v[,lower]=v=([0-9]+)' "./noise a 10000 $step" "./noise b 10000 $step 3" >out
	grep '"direction"' out | grep '"primary":true' | field verdict
done
