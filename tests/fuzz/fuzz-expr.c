/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Expressions and definitions of metrics. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "expr.h"

/* Some words are metrics: those that begin with a letter before 'n'. */
static bool known(void *context, const char *name, size_t len)
{
	(void)context;
	return len < 12 && *name >= 'a' && *name < 'n';
}

static void evaluate(const struct expr *e)
{
	size_t n = expr_n_names(e);
	double *values = calloc(n + 1, sizeof(*values));
	int *directions = calloc(n + 1, sizeof(*directions));
	bool divided;

	if (values && directions) {
		for (size_t i = 0; i < n; i++) {
			values[i] = (double)i - 1;
			directions[i] = (int)(strlen(expr_name(e, i)) % 3);
		}
		expr_eval(e, values, NULL, &divided);
		expr_direction(e, directions);
	}
	free(values);
	free(directions);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char err[200], *name, *unit, *text = malloc(size + 1);
	const char *rest;
	struct expr *e;
	int direction;

	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	if (expr_split_definition(text, &name, &unit, &direction, &rest, err, sizeof(err)) == 0) {
		free(name);
		free(unit);
	} else {
		rest = text;
	}
	e = expr_parse(rest, known, NULL, err, sizeof(err));
	if (e)
		evaluate(e);
	expr_free(e);
	free(text);
	return 0;
}
