/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The formats: one descriptor each. */
#include "render.h"

#include <errno.h>
#include <string.h>

const struct renderer *const renderers[] = {
    &render_text, &render_json, &render_csv, &render_markdown, NULL,
};

const struct renderer *renderer_find(const char *name)
{
	for (size_t i = 0; renderers[i]; i++)
		if (!strcmp(renderers[i]->name, name))
			return renderers[i];
	return NULL;
}

int render_finish(FILE *out)
{
	errno = 0;
	if (fflush(out) || ferror(out))
		return errno ? -errno : -EIO;
	return 0;
}
