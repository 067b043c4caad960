/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names tell variants apart in every output: they are never empty and never the same.
 */
#include "variant-name.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t variant_spec_commands(const struct variant_spec *spec)
{
	return spec->argv ? 1 : spec->n_commands;
}

/* Names that do not go by commands go by variants. */
static int take_names(struct variant_list *list, const struct variant_spec *s, char *err,
		      size_t err_size)
{
	size_t n = variant_spec_commands(s);

	if (s->n_names <= 1 || s->n_names == n)
		return 0;
	if (s->n_names != list->n) {
		snprintf(err, err_size,
			 "--name is given %zu times for %zu variant%s: give one name each, or none",
			 s->n_names, list->n, list->n == 1 ? "" : "s");
		return -EINVAL;
	}
	for (size_t i = 0; i < list->n; i++) {
		list->v[i].name = strdup(s->names[i]);
		if (!list->v[i].name)
			return -ENOMEM;
	}
	return 0;
}

/*
 * The name of a variant without one is its command; the same command again is told apart by a
 * number.
 */
static int default_name(struct variant_list *list, size_t at)
{
	struct variant *v = list->v;
	size_t same = 0, before = 0;

	for (size_t i = 0; i < list->n; i++) {
		if (strcmp(v[i].command, v[at].command))
			continue;
		same++;
		before += i <= at;
	}
	if (same == 1)
		v[at].name = strdup(v[at].command);
	else if (asprintf(&v[at].name, "%s (%zu)", v[at].command, before) < 0)
		v[at].name = NULL;
	return v[at].name ? 0 : -ENOMEM;
}

static int name_all(struct variant_list *list, const struct variant_spec *spec, char *err,
		    size_t err_size)
{
	struct variant *v = list->v;
	int rc = take_names(list, spec, err, err_size);

	for (size_t i = 0; i < list->n && !rc; i++) {
		if (!v[i].name)
			rc = default_name(list, i);
		if (!rc && !*v[i].name) {
			snprintf(err, err_size, "--name: a name is empty");
			rc = -EINVAL;
		}
	}
	for (size_t i = 0; i < list->n && !rc; i++) {
		for (size_t j = 0; j < i && !rc; j++) {
			if (strcmp(v[i].name, v[j].name))
				continue;
			snprintf(err, err_size, "two variants have the name '%s'", v[i].name);
			rc = -EINVAL;
		}
	}
	return rc;
}

int variant_names_finish(struct variant_list *list, const struct variant_spec *spec, char *err,
			 size_t err_size)
{
	int rc = name_all(list, spec, err, err_size);

	if (rc == -ENOMEM)
		snprintf(err, err_size, "%s", strerror(ENOMEM));
	return rc;
}
