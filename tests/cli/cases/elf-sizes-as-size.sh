# text, data and bss are what size(1) prints, for 200 programs and libraries of this machine, of 64 and of 32 bits.
command -v size >/dev/null || skip "there is no size(1): binutils is not installed"
for f in /usr/lib32/*.so* /lib/i386-linux-gnu/*.so* /usr/libx32/*.so* /usr/bin/* /usr/lib/*/*.so.*; do
	[ -f "$f" ] && [ -r "$f" ] && [ ! -L "$f" ] && [ "$(head -c 4 "$f" | tail -c 3)" = ELF ] && echo "$f"
done 2>/dev/null | head -n 200 >files
[ "$(wc -l <files)" -ge 50 ] || skip "there are hardly any ELF files here"
xargs size <files 2>/dev/null | awk 'NR > 1 && $1 != "text" { print $6, $1, $2, $3, $4 }' >expected
while read -r f rest; do
	abstat elf -x, "$f" "$f" | awk -F, -v f="$f" '$1 == "size" { v[$2] = $4 } END { print f, v["text"], v["data"], v["bss"], v["total"] }'
done <expected >actual
diff expected actual && echo "all as size prints them"
