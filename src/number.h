/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers as text, always with a decimal point, whatever the locale.
 */
#ifndef ABSTAT_NUMBER_H
#define ABSTAT_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Room for any double as number_format() writes it, with its NUL. */
#define NUMBER_SIZE 32

/*
 * Reads the decimal number at the start of [S, END): sign, digits, fraction, exponent. Returns
 * where it ends, or NULL if there is none. No hexadecimal, no "inf", no "nan"; what overflows is no
 * number either. Correctly rounded.
 */
const char *number_parse(const char *s, const char *end, double *value);

/* True if all of TEXT (NUL-terminated, blanks around it allowed) is a number. */
bool number_whole(const char *text, double *value);

/* Reads decimal digits at the start of [S, END). Returns where they end; NULL if there are none or
 * they overflow. */
const char *number_parse_u64(const char *s, const char *end, uint64_t *value);

/*
 * Writes VALUE, which must be finite, with the fewest digits that read back as the same double, as
 * JSON allows it. Returns the length. Whole numbers below 2^53 have no exponent.
 */
size_t number_format(char buf[NUMBER_SIZE], double value);

/* Writes VALUE in decimal; returns the length. */
size_t number_format_u64(char buf[NUMBER_SIZE], uint64_t value);

#endif
