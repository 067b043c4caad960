// SPDX-License-Identifier: GPL-2.0-or-later
// Functions that exceptions are thrown through: `throws 1000`.
#include <cstdlib>

extern "C" {
__attribute__((noinline)) int thrower(int x);
__attribute__((noinline)) int between(int x);
}

int thrower(int x)
{
	if (x % 2)
		throw x;
	__asm__ volatile("" : "+r"(x));
	return x;
}

int between(int x)
{
	int y = thrower(x);

	__asm__ volatile("" : "+r"(y));
	return y + 1;
}

int main(int argc, char **argv)
{
	int caught = 0, n = argc > 1 ? std::atoi(argv[1]) : 0;

	for (int i = 0; i < n; i++) {
		try {
			between(i);
		} catch (int) {
			caught++;
		}
	}
	return caught != n / 2;
}
