# Output to /dev/null lets grep and cat take a short cut: null, a pipe, a file, inherited.
cat >look <<'EOF'
#!/bin/sh
[ -c /dev/stdout ] && what="a device"
[ -p /dev/stdout ] && what="a pipe"
[ -f /dev/stdout ] && what="a file"
echo "stdout is $what" >>log
echo hello
EOF
chmod +x look
for mode in null pipe inherit file; do
	abstat stat --warmup=0 -r 1 -o report --stdout=$mode -- ./look
done | cat
cat log file
