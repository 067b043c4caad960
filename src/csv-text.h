/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A text in a field of CSV (RFC 4180).
 */
#ifndef ABSTAT_CSV_TEXT_H
#define ABSTAT_CSV_TEXT_H

#include <stdio.h>

/* Writes TEXT, in quotes where SEPARATOR, a quote or the end of a line is in it. NULL is empty. */
void csv_text(FILE *out, char separator, const char *text);

#endif
