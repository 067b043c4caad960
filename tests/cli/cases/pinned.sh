# Pin to CPUs.
abstat stat -r 3 --cpus=0 --stdout=out -- nproc >/dev/null
cat out
