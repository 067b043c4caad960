/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text for a terminal: names, commands and what a workload printed are data, and must not drive it.
 */
#ifndef ABSTAT_TEXT_H
#define ABSTAT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum {
	TEXT_UTF8 = 1,  /* the terminal takes UTF-8 */
	TEXT_LINES = 2, /* newlines and tabs stay as they are: for the last lines of a stream */
};

/*
 * A copy of TEXT that is safe to print: control characters (C0, DEL, C1), marks that turn the
 * direction of writing and bytes that are not UTF-8 become "\n", "\t", "\x1b", ... Without
 * TEXT_UTF8 the signs that abstat itself uses become ASCII ("−" "-", "±" "+-", "µ" "u") and every
 * other character beyond ASCII its bytes in hexadecimal. NULL if out of memory; the caller frees.
 */
char *text_clean(const char *text, unsigned flags);

/* The same, written to OUT at once. Errors are left to ferror(OUT). */
void text_put(FILE *out, const char *text, unsigned flags);

/* The columns that clean UTF-8 text takes: combining marks none, wide characters two (as far as
 * LC_CTYPE knows them). */
size_t text_width(const char *text);

/* True if the locale's character set (LC_CTYPE, set by main) is UTF-8. */
bool text_locale_is_utf8(void);

#endif
