/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Likeness of names by edit distance; only the few most alike are kept.
 */
#include "nearest-name.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static unsigned least(unsigned a, unsigned b, unsigned c)
{
	unsigned ab = a < b ? a : b;

	return ab < c ? ab : c;
}

/*
 * The edit distance of Damerau and Levenshtein in its restricted form: insertions, deletions,
 * replacements, and swaps of neighbours; case does not count.
 */
static unsigned edit_distance(const char *a, size_t na, const char *b, size_t nb)
{
	unsigned rows[3][NEAREST_LONGEST + 1];

	for (size_t j = 0; j <= nb; j++)
		rows[0][j] = (unsigned)j;
	for (size_t i = 1; i <= na; i++) {
		unsigned *row = rows[i % 3], *above = rows[(i + 2) % 3], *twice = rows[(i + 1) % 3];

		row[0] = (unsigned)i;
		for (size_t j = 1; j <= nb; j++) {
			int x = tolower((unsigned char)a[i - 1]),
			    y = tolower((unsigned char)b[j - 1]);

			row[j] = least(row[j - 1] + 1, above[j] + 1, above[j - 1] + (x != y));
			if (i > 1 && j > 1 && x != y && x == tolower((unsigned char)b[j - 2]) &&
			    y == tolower((unsigned char)a[i - 2]) && twice[j - 2] + 1 < row[j])
				row[j] = twice[j - 2] + 1;
		}
	}
	return rows[na % 3][nb];
}

void nearest_names_consider(struct nearest_names *nearest, const char *compared,
			    const char *offered)
{
	size_t len = strlen(compared), i;
	size_t gap = len > nearest->len ? len - nearest->len : nearest->len - len;
	unsigned limit = (unsigned)(nearest->len / 3) + 1, distance;

	if (len >= NEAREST_LONGEST || strlen(offered) >= NEAREST_LONGEST || gap > limit)
		return;
	distance = edit_distance(nearest->name, nearest->len, compared, len);
	if (distance > limit)
		return;
	for (i = 0; i < nearest->n; i++)
		if (!strcmp(nearest->best[i].name, offered))
			return;
	if (nearest->n < NEAREST_NAMES)
		nearest->n++;
	else if (distance >= nearest->best[NEAREST_NAMES - 1].distance)
		return;
	for (i = nearest->n - 1; i > 0 && nearest->best[i - 1].distance > distance; i--)
		nearest->best[i] = nearest->best[i - 1];
	snprintf(nearest->best[i].name, NEAREST_LONGEST, "%s", offered);
	nearest->best[i].distance = distance;
}

void nearest_names_text(const struct nearest_names *nearest, char *text, size_t size)
{
	size_t used = 0;

	text[0] = '\0';
	/* What is much farther than the nearest is rather noise than help. */
	for (size_t i = 0; i < nearest->n && used < size &&
			   nearest->best[i].distance <= nearest->best[0].distance + 2;
	     i++)
		used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "",
					 nearest->best[i].name);
}
