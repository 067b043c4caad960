/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program that is built several times, each with one change: the option -DCHANGE_... says which.
 * What is compiled must not depend on the functions that are called, or one change would be
 * several.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __clang__
#define WALK __attribute__((noinline))
#else
#define WALK __attribute__((noipa))
#endif

struct node {
	struct node *next;
	long value, weight, other;
};

#ifdef MOVE
/* Data that nothing uses: what follows has other addresses. */
int moved[37] = {1, 2, 3};
int moved_too[41];
const double moved_constants[9] = {1.5, 2.5};
#endif

/* Two variables whose order in memory is known. */
extern volatile int place, other_place __attribute__((visibility("hidden")));
#ifdef CHANGE_PLACES
#define PLACES "other_place: .skip 4\nplace: .skip 4\n"
#else
#define PLACES "place: .skip 4\nother_place: .skip 4\n"
#endif
__asm__(".pushsection .bss\n.balign 4\n.globl place, other_place\n.hidden place, other_place\n"
	".type place, %object\n.size place, 4\n.type other_place, %object\n.size other_place, "
	"4\n" PLACES ".popsection");

int count, table[100];
__thread int of_thread, other_of_thread;
volatile int first, second;
const char *const names[] = {"one", "two", "three"};

WALK long walk(const struct node *n)
{
	long sum = 0;

	for (; n; n = n->next) {
#ifdef CHANGE_PREFETCH
		__builtin_prefetch(n->next);
#endif
#ifdef CHANGE_OFFSET
		sum += n->weight;
#else
		sum += n->value;
#endif
	}
	return sum;
}

WALK int limit(int x)
{
#ifdef CHANGE_IMMEDIATE
	return x + 1235;
#else
	return x + 1234;
#endif
}

WALK int twice(int x)
{
	return x * 2 + count;
}

WALK int thrice(int x)
{
	return x * 3 + count;
}

WALK int call(int x)
{
#ifdef CHANGE_CALL
	return thrice(x) + 1;
#else
	return twice(x) + 1;
#endif
}

WALK int condition(int x, int y)
{
#ifdef CHANGE_CONDITION
	if (x >= y)
#else
	if (x < y)
#endif
		puts("less");
	return y;
}

WALK void order(int x)
{
#ifdef CHANGE_ORDER
	second = x;
	first = x;
#else
	first = x;
	second = x;
#endif
}

/* The same bytes for two places that are exchanged. */
WALK void places(int x)
{
#ifdef CHANGE_PLACES
	other_place = x;
	place = x + 1;
#else
	place = x;
	other_place = x + 1;
#endif
}

WALK int thread(void)
{
#ifdef CHANGE_THREAD
	return other_of_thread;
#else
	return of_thread;
#endif
}

/* Ends where something else begins. */
WALK int sum(void)
{
	int n = 0;

	for (const int *p = table; p < table + 100; p++)
		n ^= *p;
	return n;
}

WALK void text(void)
{
#ifdef CHANGE_TEXT
	puts("some other text");
#else
	puts("a text of some length");
#endif
}

WALK double constant(double x)
{
#ifdef CHANGE_CONSTANT
	return x * 3.75;
#else
	return x * 3.25;
#endif
}

WALK int choose(int x)
{
	switch (x) {
	case 0:
		return twice(11);
	case 1:
		return thrice(x + 29);
	case 2:
		puts("two");
		return 7;
	case 3:
		return 9 + limit(3);
	case 4:
		return table[x];
	case 5:
		return count;
	case 6:
		return call(77);
	default:
		return table[x & 63] + (int)strlen(names[x % 3]);
	}
}

int main(int argc, char **argv)
{
	struct node n = {NULL, argc, 2, 3};

	order(argc);
	places(argc);
	text();
	count += thread() + sum();
	printf("%ld %d %d %d %d %f\n", walk(&n), limit(argc), call(argc), condition(argc, 3),
	       choose(argc), constant(argc));
	return strlen(argv[0]) > 1000;
}
