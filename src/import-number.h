/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers as people's locales write them: 24,410,837,606 and 24.410.837.606,5 and 24 410 837 606.
 */
#ifndef ABSTAT_IMPORT_NUMBER_H
#define ABSTAT_IMPORT_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Reads the number at the start of [S, END). Separators of thousands may be , . ' a typographic
 * apostrophe, a blank, or a no-break, narrow or thin space, if groups of digits follow them. Where
 * one separator stands alone before three digits ("1,234"), it is the decimal point if FRACTION,
 * else it separates thousands. Returns where the number ends, or NULL if there is none. *DECIMALS
 * (may be NULL): digits behind the point.
 */
const char *local_number_parse(const char *s, const char *end, bool fraction, double *value,
			       int *decimals);

#endif
