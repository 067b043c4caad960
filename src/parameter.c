/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parameters of -L, and templates.
 */
#include "parameter.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool name_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '-' || c == '.';
}

/* The length of a "{NAME}" at P, or 0. A name begins with a letter, so that {1..3} is none. */
static size_t mark_length(const char *text, const char *p)
{
	size_t n = 1;

	if (*p != '{' || (p > text && p[-1] == '$'))
		return 0;
	if (!isalpha((unsigned char)p[1]) && p[1] != '_')
		return 0;
	while (name_char(p[n]))
		n++;
	return p[n] == '}' ? n + 1 : 0;
}

static const struct parameter *find(const struct parameter *parameters, size_t n, const char *mark,
				    size_t len)
{
	for (size_t i = 0; i < n; i++)
		if (strlen(parameters[i].name) == len - 2 &&
		    !memcmp(parameters[i].name, mark + 1, len - 2))
			return &parameters[i];
	return NULL;
}

char *parameter_fill(const char *text, const struct parameter *parameters, size_t n,
		     const size_t *choice, bool *used)
{
	char *out = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&out, &size);
	const char *p = text;

	if (!f)
		return NULL;
	while (*p) {
		size_t len = mark_length(text, p);
		const struct parameter *found = len ? find(parameters, n, p, len) : NULL;

		if (!found) {
			fputc(*p++, f);
			continue;
		}
		fputs(found->values[choice[found - parameters]], f);
		if (used)
			used[found - parameters] = true;
		p += len;
	}
	if (fclose(f)) {
		free(out);
		return NULL;
	}
	return out;
}

const char *parameter_unknown(const char *text, const struct parameter *parameters, size_t n,
			      size_t *len)
{
	char quote = '\0';

	for (const char *p = text; *p; p++) {
		if (*p == '\\' && quote != '\'' && p[1]) {
			p++;
			continue;
		}
		if (quote ? *p == quote : *p == '\'' || *p == '"') {
			quote = quote ? '\0' : *p;
			continue;
		}
		*len = quote ? 0 : mark_length(text, p);
		if (*len && strncmp(p, "{block}", *len) && !find(parameters, n, p, *len))
			return p;
	}
	return NULL;
}

static int refuse(char *err, size_t err_size, const char *text, const char *why)
{
	snprintf(err, err_size, "-L '%s': %s", text, why);
	return -EINVAL;
}

static int add_value(struct parameter *p, const char *value, size_t len)
{
	char **grown = realloc(p->values, (p->n + 1) * sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	p->values = grown;
	p->values[p->n] = strndup(value, len);
	if (!p->values[p->n])
		return -ENOMEM;
	p->n++;
	return 0;
}

static int parse(struct parameter *p, const char *text, char *err, size_t err_size)
{
	const char *equals = strchr(text, '=');
	const char *value;

	if (!equals)
		return refuse(err, err_size, text, "expected NAME=VALUE,VALUE,...");
	if (equals == text || !(isalpha((unsigned char)*text) || *text == '_'))
		return refuse(err, err_size, text, "a name begins with a letter");
	for (const char *c = text; c < equals; c++)
		if (!name_char(*c))
			return refuse(err, err_size, text,
				      "a name has letters, digits, '_', '-' and '.' only");
	p->name = strndup(text, (size_t)(equals - text));
	if (!p->name)
		return -ENOMEM;
	if (!strcmp(p->name, "block"))
		return refuse(err, err_size, text,
			      "{block} is the number that abstat draws for each block");
	if (!equals[1])
		return refuse(err, err_size, text, "it has no values");
	for (value = equals + 1;; value++) {
		size_t len = strcspn(value, ",");

		if (add_value(p, value, len))
			return -ENOMEM;
		value += len;
		if (!*value)
			return 0;
	}
}

int parameter_parse(struct parameter *p, const char *text, char *err, size_t err_size)
{
	int rc;

	*p = (struct parameter){0};
	rc = parse(p, text, err, err_size);
	if (rc == -ENOMEM)
		snprintf(err, err_size, "%s", strerror(ENOMEM));
	if (rc)
		parameter_release(p);
	return rc;
}

void parameter_release(struct parameter *p)
{
	for (size_t i = 0; i < p->n; i++)
		free(p->values[i]);
	free(p->values);
	free(p->name);
	*p = (struct parameter){0};
}
