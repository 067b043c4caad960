/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The formats: one descriptor each. */
#include "render.h"

#include <errno.h>
#include <string.h>

#include "json-out.h"

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

int render_document(struct json_out *o, FILE *out)
{
	bool failed;

	json_out_newline(o);
	failed = o->failed;
	if (!failed)
		fwrite(o->data, 1, o->len, out);
	json_out_release(o);
	return failed ? -ENOMEM : render_finish(out);
}
