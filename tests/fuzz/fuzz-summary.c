/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --summary: each line is one. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "import.h"

enum { MAX_TEXTS = 20 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *texts[MAX_TEXTS];
	char err[300], *copy = malloc(size + 1), *rest = copy;
	struct record r;
	size_t n = 0;

	if (!copy)
		return 0;
	memcpy(copy, data, size);
	copy[size] = '\0';
	while (rest && n < MAX_TEXTS)
		texts[n++] = strsep(&rest, "\n");
	if (record_from_summaries(texts, n, &r, err, sizeof(err)) == 0)
		record_release(&r);
	free(copy);
	return 0;
}
