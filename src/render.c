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
	int error = 0;

	json_out_newline(o);
	if (o->failed)
		error = ENOMEM;
	else if (fwrite(o->data, 1, o->len, out) < o->len)
		/* What is longer than the buffer is written at once: nothing is left to be flushed. */
		error = errno ? errno : EIO;
	json_out_release(o);
	return error ? -error : render_finish(out);
}
