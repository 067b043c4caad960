/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reasons in a page of text, each once, with all that it holds for. */
#include "render-text.h"

#include <stdlib.h>
#include <string.h>

/* The names from FIRST on that share its reason; NULL if an earlier one had it, or out of memory.
 */
static char *names_of(const void *what, size_t first, size_t n,
		      const char *(*reason_of)(const void *what, size_t i, const char **name))
{
	const char *name, *own, *reason = reason_of(what, first, &own);
	char *text = NULL;
	size_t len = 0;

	for (size_t i = 0; i < first; i++) {
		const char *other = reason_of(what, i, &name);

		if (other && !strcmp(other, reason))
			return NULL;
	}
	FILE *out = open_memstream(&text, &len);

	if (!out)
		return NULL;
	fputs(own, out);
	for (size_t i = first + 1; i < n; i++) {
		const char *other = reason_of(what, i, &name);

		if (other && !strcmp(other, reason))
			fprintf(out, ", %s", name);
	}
	fprintf(out, ": %s", reason);
	fclose(out);
	return text;
}

void text_reasons(const struct text_page *page, const void *what, size_t n,
		  const char *(*reason_of)(const void *what, size_t i, const char **name))
{
	for (size_t i = 0; i < n; i++) {
		const char *name;
		char *text = reason_of(what, i, &name) ? names_of(what, i, n, reason_of) : NULL;

		if (text)
			text_paragraph(page, "  ", text);
		free(text);
	}
}
