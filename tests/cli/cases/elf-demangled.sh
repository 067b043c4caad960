# Names of C++ and Rust as in the source, for people; in JSON, both.
command -v c++ >/dev/null || skip "there is no C++ compiler"
cat >basket.cc <<'END'
namespace shop {
struct basket {
	int n;
	int add(int x);
	int add(long x, int y);
};
__attribute__((noinline)) int basket::add(int x)
{
	return n += x * FACTOR;
}
__attribute__((noinline)) int basket::add(long x, int y)
{
	return n += (int)x - y;
}
template <class T> __attribute__((noinline)) T twice(T x)
{
	return x + x;
}
}
int of_rust(int x) __asm__("_RNvC5crate3bar");
__attribute__((noinline)) int of_rust(int x)
{
	return x - FACTOR;
}
int main(int argc, char **)
{
	shop::basket b = {argc};
	return of_rust(argc) + b.add(argc) + b.add(3L, argc) + shop::twice<int>(argc);
}
END
for factor in 3 5; do
	c++ -O2 -fno-ipa-icf -DFACTOR=$factor basket.cc -o $factor
done
abstat elf 3 5 | grep -oE '^ *(shop|crate)::[^ ]*'
abstat elf --format=markdown 3 5 | grep -oE '`(shop|crate)::[^`]*`'
abstat elf -j 3 5 | grep -oE '"name":"_[^"]*","demangled":"[^"]*"' | sort -u
abstat elf -j --function='shop::twice' 3 5 >elf.json
python3 -c '
import json
d = json.load(open("elf.json"))
print(d["listing"]["function"], d["listing"]["demangled"], all(r["same"] for r in d["listing"]["rows"]))'
# Mangled or not, with parameters or, of one, without.
for name in _ZN4shop6basket3addEi 'shop::basket::add(int)' 'shop::twice<int>' main; do
	abstat elf --function="$name" 3 5 | grep -c '  ret'
done
abstat elf --function=shop::basket::add 3 5 2>&1
abstat elf --function=shop::basket::remove 3 5 2>&1
