/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One importer, IMPORTER, on anything that it recognises. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "import-formats.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* The size chooses the options, so that a corpus is made of plain files. */
	const struct import_options options = {.column = size % 5 ? NULL : "2,b", .runs = size % 3};
	char err[300], *text = malloc(size + 1);
	struct import in = {
	    .len = size, .name = "FILE", .options = &options, .err = err, .err_size = sizeof(err)};
	struct record r;

	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	in.text = text;
	record_init(&r);
	if (IMPORTER.recognise(text, size) && IMPORTER.read(&in, &r) == 0 && !r.n_runs &&
	    !r.summaries)
		abort();
	record_release(&r);
	free(text);
	return 0;
}
