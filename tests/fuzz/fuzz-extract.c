/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --extract: any output of a workload, searched with some expressions. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "extract.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const definitions[] = {"t=time: ([^ ]+)", "t[s,lower]=^([-+0-9.e]*)$",
						  "t=(a)|(b*)"};
	char *text = malloc(size + 1);

	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	for (size_t i = 0; i < sizeof(definitions) / sizeof(definitions[0]); i++) {
		struct extract e;
		char err[300];
		double value;

		if (extract_init(&e, definitions[i], err, sizeof(err)))
			abort();
		extract_from(&e, text, size, &value);
		extract_release(&e);
	}
	free(text);
	return 0;
}
