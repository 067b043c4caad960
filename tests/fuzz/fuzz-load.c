/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any file, as diff and report read it: recognised by its content. */
#include "fuzz.h"

#include <stdlib.h>

#include "import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct record r;
	char err[300] = "";
	int rc = record_load_memory((const char *)data, size, "FILE", NULL, &r, err, sizeof(err));

	if (rc && !*err)
		abort();
	if (!rc)
		record_release(&r);
	return 0;
}
