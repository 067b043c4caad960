# ministat: variance by sum of squares goes negative on 1e10-scale counts.
cat >counter <<'EOF'
#!/bin/sh
echo x >>log
echo "v=$((900000000000000 + $(wc -l <log) % 2))"
EOF
chmod +x counter
abstat stat --warmup=0 -r 10 -j --extract 'v=v=([0-9]+)' -- ./counter >out
line=$(grep '"name":"v"' out | head -n 1)
echo "$(field mean <<<"$line") $(field sd <<<"$line") $(field min <<<"$line") $(field max <<<"$line")"
