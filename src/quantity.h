/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Quantities on the command line: times, percentages, counts. A unit is required where leaving it out could be
 * misread. All return 0, or -EINVAL with a message in ERR that says what was wrong and shows a right one.
 */
#ifndef ABSTAT_QUANTITY_H
#define ABSTAT_QUANTITY_H

#include <stddef.h>
#include <stdint.h>

/* "30s", "500ms", "200us", "2min", "1h" to ns; not negative. */
int quantity_duration(const char *text, uint64_t *ns, char *err, size_t err_size);

/* "0.5%" to 0.005; at least 0. */
int quantity_percent(const char *text, double *fraction, char *err, size_t err_size);

/* A whole number from MIN to MAX. */
int quantity_count(const char *text, uint64_t min, uint64_t max, uint64_t *value, char *err,
		   size_t err_size);

/* A finite decimal number. */
int quantity_number(const char *text, double *value, char *err, size_t err_size);

#endif
