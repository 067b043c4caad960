# What a function calls is named, imported functions and long names among it, alike on both sides; for a name that
# is not there, what is called alike.
command -v c++ >/dev/null || skip "there is no C++ compiler"
[ "$(uname -m)" = x86_64 ] || skip "reads instructions of x86-64"
cat >shapes.cc <<'END'
#include <stdio.h>
namespace shapes {
struct a_type_with_a_long_name {};
template <class A, class B> struct pair_of { __attribute__((noinline)) int sum_of_both(int x); };
template <class A, class B> int pair_of<A, B>::sum_of_both(int x) { return printf("%d\n", x); }
struct poly { __attribute__((noinline)) double area() const; double side; };
double poly::area() const { return side * side * FACTOR; }
}
int main(int argc, char **)
{
	shapes::pair_of<shapes::a_type_with_a_long_name, shapes::a_type_with_a_long_name> both;
	shapes::poly p = {(double)argc};
	printf("%g\n", p.area());
	return both.sum_of_both(argc * FACTOR) + puts("done");
}
END
for factor in 3 5; do
	c++ -O2 -fno-ipa-icf -fplt -DFACTOR=$factor shapes.cc -o $factor || skip "the compiler does not link"
	strip $factor -o stripped-$factor
done
abstat elf --function=main 3 5 | grep -oE '(call|jmp) <[a-z].*' | sed -E 's/ +[|<>]?  +[0-9a-f]+ +/ | /'
for name in area poly::aera sum_of_btoh nothing_like_it; do
	abstat elf --function=$name 3 5 2>&1
done
abstat elf --function=area stripped-3 stripped-5 2>&1
