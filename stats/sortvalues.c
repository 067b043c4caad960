/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sortvalues.c - sorting values, alone or with the places that they came from.
 */
#include "sortvalues.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
	MANY = 1024, /* from so many on, by bytes */
	BYTES = 8,
	BYTE_VALUES = 256,
};

struct keyed {
	uint64_t key;
	uint64_t index;
};

_Static_assert(sizeof(double) == sizeof(uint64_t), "the bits of a value are its key");

/* Unsigned numbers in the order of the values: negative ones are mirrored, below the others. */
static uint64_t key_of(double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static double value_of(uint64_t key)
{
	uint64_t bits = key >> 63 ? key & ~(UINT64_C(1) << 63) : ~key;
	double x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

static unsigned byte_of(uint64_t key, unsigned which)
{
	return (unsigned)(key >> (8 * which)) & (BYTE_VALUES - 1);
}

/* counts[w][v]: how many keys have v as byte w. */
static void count_bytes(size_t counts[BYTES][BYTE_VALUES], uint64_t key)
{
	for (unsigned which = 0; which < BYTES; which++)
		counts[which][byte_of(key, which)]++;
}

/* Turns the counts of a byte into where each of its values begins. False: all n share one. */
static bool begin_at(size_t counts[BYTE_VALUES], size_t n)
{
	size_t before = 0;

	for (unsigned v = 0; v < BYTE_VALUES; v++) {
		size_t count = counts[v];

		if (count == n)
			return false;
		counts[v] = before;
		before += count;
	}
	return true;
}

static void sort_keys(uint64_t *from, uint64_t *to, size_t n, double *sorted)
{
	size_t counts[BYTES][BYTE_VALUES] = {0};

	for (size_t i = 0; i < n; i++)
		count_bytes(counts, from[i]);
	for (unsigned which = 0; which < BYTES; which++) {
		uint64_t *swap = from;

		if (!begin_at(counts[which], n))
			continue;
		for (size_t i = 0; i < n; i++)
			to[counts[which][byte_of(from[i], which)]++] = from[i];
		from = to;
		to = swap;
	}
	for (size_t i = 0; i < n; i++)
		sorted[i] = value_of(from[i]);
}

static void sort_keyed(struct keyed *from, struct keyed *to, size_t n, struct place *sorted)
{
	size_t counts[BYTES][BYTE_VALUES] = {0};

	for (size_t i = 0; i < n; i++)
		count_bytes(counts, from[i].key);
	for (unsigned which = 0; which < BYTES; which++) {
		struct keyed *swap = from;

		if (!begin_at(counts[which], n))
			continue;
		for (size_t i = 0; i < n; i++)
			to[counts[which][byte_of(from[i].key, which)]++] = from[i];
		from = to;
		to = swap;
	}
	for (size_t i = 0; i < n; i++)
		sorted[i] = (struct place){value_of(from[i].key), (size_t)from[i].index};
}

static int compare_doubles(const void *left, const void *right)
{
	double l = *(const double *)left, r = *(const double *)right;

	return (l > r) - (l < r);
}

static int compare_places(const void *left, const void *right)
{
	const struct place *l = left, *r = right;

	return (l->value > r->value) - (l->value < r->value);
}

void sort_doubles(double *x, size_t n)
{
	uint64_t *keys = n < MANY ? NULL : calloc(n, 2 * sizeof(*keys));

	if (!keys) {
		if (n > 1)
			qsort(x, n, sizeof(*x), compare_doubles);
		return;
	}
	for (size_t i = 0; i < n; i++)
		keys[i] = key_of(x[i]);
	sort_keys(keys, keys + n, n, x);
	free(keys);
}

struct place *sort_places(const double *x, size_t n)
{
	struct place *sorted = calloc(n, sizeof(*sorted));
	struct keyed *keyed = n < MANY ? NULL : calloc(n, 2 * sizeof(*keyed));

	if (!sorted) {
		free(keyed);
		return NULL;
	}
	if (!keyed) {
		for (size_t i = 0; i < n; i++)
			sorted[i] = (struct place){x[i], i};
		qsort(sorted, n, sizeof(*sorted), compare_places);
		return sorted;
	}
	for (size_t i = 0; i < n; i++)
		keyed[i] = (struct keyed){key_of(x[i]), i};
	sort_keyed(keyed, keyed + n, n, sorted);
	free(keyed);
	return sorted;
}
