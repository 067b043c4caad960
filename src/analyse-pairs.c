/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which sides are compared with which. */
#include "analyse-pairs.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The side that the LEN bytes at NAME name; -1: none. */
static long find_side(const struct analyse_side *sides, size_t n, const char *name, size_t len)
{
	for (size_t i = 0; i < n; i++)
		if (strlen(sides[i].name) == len && !memcmp(sides[i].name, name, len))
			return (long)i;
	if (len == 1 && *name >= 'A' && *name <= 'Z' && (size_t)(*name - 'A') < n)
		return *name - 'A';
	return -1;
}

static int unknown(const struct analyse_side *sides, size_t n, const char *option, const char *name,
		   char *err, size_t err_size)
{
	int used = snprintf(err, err_size, "%s: '%s' names no variant; there are: ", option, name);

	for (size_t i = 0; i < n && used > 0 && (size_t)used < err_size; i++)
		used += snprintf(err + used, err_size - (size_t)used, "%s'%s'", i ? ", " : "",
				 sides[i].name);
	return -EINVAL;
}

/* The place of the separator C in TEXT before which the name of a side ends; names may contain it themselves. */
static const char *name_end(const struct analyse_side *sides, size_t n, const char *text, char c,
			    bool or_end, long *side)
{
	const char *end = text + strlen(text);

	for (const char *p = end; p > text; p--)
		if ((*p == c || (or_end && p == end)) &&
		    (*side = find_side(sides, n, text, (size_t)(p - text))) >= 0)
			return p;
	return NULL;
}

/* One comparison twice, either way round, would count twice in the correction for being many. */
static bool is_paired(const size_t *pairs, size_t n, size_t a, size_t b)
{
	for (size_t i = 0; i < n; i++)
		if ((pairs[2 * i] == a && pairs[2 * i + 1] == b) ||
		    (pairs[2 * i] == b && pairs[2 * i + 1] == a))
			return true;
	return false;
}

static int parse_pairs(const struct analyse_side *sides, size_t n_sides, const char *text,
		       size_t **pairs, size_t *n, char *err, size_t err_size)
{
	for (const char *p = text;;) {
		long a, b;
		const char *colon = name_end(sides, n_sides, p, ':', false, &a);
		const char *end = colon ? name_end(sides, n_sides, colon + 1, ',', true, &b) : NULL;

		if (!end)
			return unknown(sides, n_sides, "--pairs", p, err, err_size);
		if (a == b) {
			snprintf(err, err_size, "--pairs: '%s' is compared with itself",
				 sides[a].name);
			return -EINVAL;
		}
		if (is_paired(*pairs, *n, (size_t)a, (size_t)b)) {
			snprintf(err, err_size, "--pairs: '%s' and '%s' are compared twice", sides[a].name,
				 sides[b].name);
			return -EINVAL;
		}
		size_t *grown = reallocarray(*pairs, *n + 1, 2 * sizeof(**pairs));

		if (!grown)
			return -ENOMEM;
		*pairs = grown;
		grown[2 * *n] = (size_t)a;
		grown[2 * *n + 1] = (size_t)b;
		(*n)++;
		if (!*end)
			return 0;
		p = end + 1;
	}
}

static int all_pairs(size_t n_sides, bool each_with_each, size_t baseline, size_t **pairs, size_t *n)
{
	*pairs = calloc(n_sides * n_sides + 1, 2 * sizeof(**pairs));
	if (!*pairs)
		return -ENOMEM;
	for (size_t a = 0; a < n_sides; a++)
		for (size_t b = each_with_each ? a + 1 : 0; b < n_sides; b++) {
			if (!each_with_each && (a != baseline || b == baseline))
				continue;
			(*pairs)[2 * *n] = a;
			(*pairs)[2 * *n + 1] = b;
			(*n)++;
		}
	return 0;
}

int analyse_pairs(const struct analyse_side *sides, size_t n_sides, const struct judge_options *options,
		  size_t **pairs, size_t *n, char *err, size_t err_size)
{
	long baseline = 0;
	int r;

	*pairs = NULL;
	*n = 0;
	if (options->baseline) {
		baseline = find_side(sides, n_sides, options->baseline, strlen(options->baseline));
		if (baseline < 0)
			return unknown(sides, n_sides, "--baseline", options->baseline, err, err_size);
	}
	if (options->pairs && strcmp(options->pairs, "all"))
		r = parse_pairs(sides, n_sides, options->pairs, pairs, n, err, err_size);
	else
		r = all_pairs(n_sides, options->pairs != NULL, (size_t)baseline, pairs, n);
	if (r) {
		free(*pairs);
		*pairs = NULL;
	}
	return r;
}
