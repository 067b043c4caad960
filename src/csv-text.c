/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Quoting for CSV. */
#include "csv-text.h"

#include <string.h>

void csv_text(FILE *out, char separator, const char *text)
{
	const char special[] = {separator, '"', '\r', '\n', '\0'};

	if (!text)
		return;
	if (text[strcspn(text, special)] == '\0') {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputc('"', out);
}
