# hyperfine: peak memory is a high-water mark that leaks into later runs and commands.
abstat compare -r 3 --seed=1 -j --shell 'head -c 90000000 /dev/zero | tail -c 80000000' true >out
big=$(grep '"name":"max_rss"' out | sed -n 1p | field max)
small=$(grep '"name":"max_rss"' out | sed -n 2p | field max)
holds "$big > 70000000"
holds "$small < 20000000"
