/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Splits lists of terms, and reads their numbers.
 */
#include "pmu-terms.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Values may be quoted, as the one of name='a b'. */
static char *unquoted(const char *text, size_t len)
{
	if (len >= 2 && (text[0] == '\'' || text[0] == '"') && text[len - 1] == text[0])
		return strndup(text + 1, len - 2);
	return strndup(text, len);
}

static int append(struct pmu_terms *terms, const char *text, size_t len)
{
	const char *equals = memchr(text, '=', len);
	size_t name_len = equals ? (size_t)(equals - text) : len;
	struct pmu_term *more, *term;

	if (name_len == 0 || (equals && name_len + 1 == len))
		return -EINVAL;
	more = reallocarray(terms->terms, terms->n + 1, sizeof(*more));
	if (!more)
		return -ENOMEM;
	terms->terms = more;
	term = &more[terms->n++];
	term->name = strndup(text, name_len);
	term->value = equals ? unquoted(equals + 1, len - name_len - 1) : NULL;
	return term->name && (!equals || term->value) ? 0 : -ENOMEM;
}

int pmu_terms_parse(struct pmu_terms *terms, const char *text)
{
	int e = 0;

	*terms = (struct pmu_terms){0};
	if (*text == '\0')
		return 0;
	for (;;) {
		size_t len = strcspn(text, ",");

		e = append(terms, text, len);
		if (e < 0)
			break;
		text += len;
		if (*text == '\0')
			return 0;
		text++;
	}
	pmu_terms_release(terms);
	return e;
}

void pmu_terms_release(struct pmu_terms *terms)
{
	for (size_t i = 0; i < terms->n; i++) {
		free(terms->terms[i].name);
		free(terms->terms[i].value);
	}
	free(terms->terms);
	*terms = (struct pmu_terms){0};
}

const struct pmu_term *pmu_terms_find(const struct pmu_terms *terms, const char *name)
{
	for (size_t i = 0; i < terms->n; i++)
		if (!strcmp(terms->terms[i].name, name))
			return &terms->terms[i];
	return NULL;
}

int pmu_term_number(const char *text, uint64_t *value)
{
	char *end;

	if (!isdigit((unsigned char)*text))
		return -EINVAL;
	errno = 0;
	*value =
	    strtoull(text, &end, text[0] == '0' && (text[1] == 'x' || text[1] == 'X') ? 16 : 10);
	return errno || *end ? -EINVAL : 0;
}
