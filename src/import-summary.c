/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --summary 'NAME=MEAN,SD,N': numbers from a mail. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import-build.h"
#include "number.h"

struct summary {
	double mean, sd; /* sd NaN: "?" */
	uint64_t n;
};

static bool parse(const char *text, const char *end, struct summary *s)
{
	const char *at = number_parse(text, end, &s->mean);

	if (!at || at == end || *at++ != ',')
		return false;
	if (at < end && *at == '?') {
		s->sd = NAN;
		at++;
	} else {
		at = number_parse(at, end, &s->sd);
		if (!at || s->sd < 0)
			return false;
	}
	if (at == end || *at++ != ',')
		return false;
	return number_parse_u64(at, end, &s->n) == end && s->n > 0;
}

static int read_one(struct import_build *b, const char *text, struct summary *s)
{
	const char *equals = strrchr(text, '=');
	char *name;
	long variant;
	int rc = 0;

	if (!equals || equals == text || !parse(equals + 1, text + strlen(text), s))
		return import_error(
		    b->in, -EINVAL,
		    "'%s': expected NAME=MEAN,SD,N such as A=26.63,0.38,10; SD may be ?, and "
		    "is then that of another one",
		    text);
	name = strndup(text, (size_t)(equals - text));
	if (!name)
		return import_error(b->in, -ENOMEM, "out of memory");
	for (size_t i = 0; i < b->r->n_variants && !rc; i++)
		if (!strcmp(b->r->variants[i].name, name))
			rc = import_error(b->in, -EINVAL, "'%s' is given twice", name);
	variant = rc ? rc : import_build_variant(b, name, NULL);
	free(name);
	return variant < 0 ? (int)variant : 0;
}

static int build(struct import_build *b, const char *const *texts, size_t n, struct summary *s)
{
	double known = NAN;
	long metric;
	int rc = 0;

	for (size_t i = 0; i < n && !rc; i++) {
		rc = read_one(b, texts[i], &s[i]);
		if (!rc && isnan(known))
			known = s[i].sd;
	}
	if (rc)
		return rc;
	if (isnan(known))
		return import_error(b->in, -EINVAL,
				    "at least one standard deviation must be known");
	metric = import_build_metric(b, "value", NULL, "", DIRECTION_LOWER);
	if (metric < 0)
		return (int)metric;
	b->r->summaries = calloc(n, sizeof(*b->r->summaries));
	if (!b->r->summaries)
		return import_error(b->in, -ENOMEM, "out of memory");
	for (size_t i = 0; i < n; i++)
		b->r->summaries[i] = (struct record_summary){.n = s[i].n,
							     .mean = s[i].mean,
							     .sd = isnan(s[i].sd) ? known : s[i].sd,
							     .sd_borrowed = isnan(s[i].sd),
							     .running = 1};
	b->r->complete = true;
	b->r->primary = 0;
	b->r->version = strdup("--summary");
	return b->r->version ? 0 : import_error(b->in, -ENOMEM, "out of memory");
}

int record_from_summaries(const char *const *texts, size_t n, struct record *r, char *err,
			  size_t err_size)
{
	struct import in = {.name = "--summary", .err = err, .err_size = err_size};
	struct summary *s = calloc(n + 1, sizeof(*s));
	struct import_build b;
	int rc;

	record_init(r);
	if (!s)
		return import_error(&in, -ENOMEM, "out of memory");
	import_build_init(&b, &in, r);
	rc = build(&b, texts, n, s);
	import_build_release(&b);
	free(s);
	if (rc)
		record_release(r);
	return rc;
}
