/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The list of variants: every command with every choice of the parameters that it uses.
 */
#include "variant.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "parameter.h"
#include "variant-name.h"

/* What one text for all, or one a command, is given for. */
struct option_list {
	const char *option;
	const char *const *texts;
	size_t n;
};

struct builder {
	struct variant_list *list;
	const struct variant_spec *spec;
	size_t *choice;  /* of each parameter's value */
	bool *used;      /* by any command */
	bool *used_here; /* by the command at hand */
	char *err;
	size_t err_size;
};

static int no_memory(struct builder *b)
{
	snprintf(b->err, b->err_size, "%s", strerror(ENOMEM));
	return -ENOMEM;
}

static int check_lists(struct builder *b)
{
	const struct variant_spec *s = b->spec;
	const struct option_list lists[] = {
	    {"--setup", s->setups, s->n_setups},
	    {"--prepare", s->prepares, s->n_prepares},
	    {"--conclude", s->concludes, s->n_concludes},
	    {"--cleanup", s->cleanups, s->n_cleanups},
	};
	size_t n = variant_spec_commands(s);

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		if (lists[i].n <= 1 || lists[i].n == n)
			continue;
		snprintf(b->err, b->err_size,
			 "%s is given %zu times for %zu command%s: give it once for all, or once a "
			 "command",
			 lists[i].option, lists[i].n, n, n == 1 ? "" : "s");
		return -EINVAL;
	}
	return 0;
}

static const char *nth(const char *const *texts, size_t n, size_t command)
{
	if (n == 0)
		return NULL;
	return texts[n == 1 ? 0 : command];
}

static int check_marks(struct builder *b, const char *text)
{
	size_t len;
	const char *mark =
	    parameter_unknown(text, b->spec->parameters, b->spec->n_parameters, &len);

	if (!mark)
		return 0;
	snprintf(b->err, b->err_size,
		 "no -L gives a value for %.*s in '%s'; quote it if it is not meant for abstat",
		 (int)len, mark, text);
	return -EINVAL;
}

/* *OUT is TEXT filled in, or NULL for NULL. */
static int fill(struct builder *b, const char *text, bool check, char **out)
{
	int rc = text && check ? check_marks(b, text) : 0;

	*out = NULL;
	if (rc || !text)
		return rc;
	*out = parameter_fill(text, b->spec->parameters, b->spec->n_parameters, b->choice,
			      b->used_here);
	return *out ? 0 : no_memory(b);
}

static bool is_assignment(const char *word)
{
	size_t n = 0;

	if (!isalpha((unsigned char)*word) && *word != '_')
		return false;
	while (isalnum((unsigned char)word[n]) || word[n] == '_')
		n++;
	return word[n] == '=';
}

static int empty_command(struct builder *b, const char *text)
{
	snprintf(b->err, b->err_size, "'%s' is no command: there is no program in it", text);
	return -EINVAL;
}

/* The leading assignments of WORDS become the variant's, the rest its argv. WORDS is taken. */
static int divide(struct builder *b, struct variant *v, char **words)
{
	size_t n = 0, lead = 0;

	while (words[n])
		n++;
	while (lead < n && is_assignment(words[lead]))
		lead++;
	v->argv = words;
	v->assignments = calloc(lead + 1, sizeof(*v->assignments));
	if (!v->assignments)
		return no_memory(b);
	memcpy(v->assignments, words, lead * sizeof(*words));
	memmove(words, words + lead, (n - lead + 1) * sizeof(*words));
	return words[0] && *words[0] ? 0 : empty_command(b, v->command);
}

static int shell_words(struct builder *b, struct variant *v)
{
	if (v->command[strspn(v->command, " \t\n")] == '\0')
		return empty_command(b, v->command);
	v->argv = calloc(4, sizeof(*v->argv));
	v->assignments = calloc(1, sizeof(*v->assignments));
	if (!v->argv || !v->assignments)
		return no_memory(b);
	v->argv[0] = strdup("/bin/sh");
	v->argv[1] = strdup("-c");
	v->argv[2] = strdup(v->command);
	return v->argv[0] && v->argv[1] && v->argv[2] ? 0 : no_memory(b);
}

/* One string: filled in first and split then, so that a value can be several words. */
static int from_string(struct builder *b, struct variant *v, const char *text)
{
	int rc = fill(b, text, true, &v->command);
	char **words;

	if (rc)
		return rc;
	if (b->spec->shell)
		return shell_words(b, v);
	words = words_split(v->command, b->err, b->err_size);
	return words ? divide(b, v, words) : -EINVAL;
}

/* 'ls -l' as one word, where nothing is called that, is a command line that was quoted as a whole. */
static bool is_quoted_whole(char *const *words)
{
	return words[0] && !words[1] && strpbrk(words[0], " \t\n") && access(words[0], F_OK);
}

/* Words of a command line that a shell has split already. */
static int from_words(struct builder *b, struct variant *v, char *const *words)
{
	size_t n = 0;
	int rc = words[0] ? check_marks(b, words[0]) : empty_command(b, "");

	if (rc)
		return rc;
	while (words[n])
		n++;
	v->argv = calloc(n + 1, sizeof(*v->argv));
	v->assignments = calloc(1, sizeof(*v->assignments));
	if (!v->argv || !v->assignments)
		return no_memory(b);
	for (size_t i = 0; i < n; i++) {
		rc = fill(b, words[i], false, &v->argv[i]);
		if (rc)
			return rc;
	}
	v->command = words_join(v->argv);
	if (!v->command)
		return no_memory(b);
	if (!*v->argv[0])
		return empty_command(b, v->command);
	return 0;
}

static int make_hooks(struct builder *b, struct hooks *h, size_t command)
{
	const struct variant_spec *s = b->spec;
	int rc = fill(b, nth(s->setups, s->n_setups, command), true, &h->setup);

	rc = rc ? rc : fill(b, nth(s->prepares, s->n_prepares, command), true, &h->prepare);
	rc = rc ? rc : fill(b, nth(s->concludes, s->n_concludes, command), true, &h->conclude);
	return rc ? rc : fill(b, nth(s->cleanups, s->n_cleanups, command), true, &h->cleanup);
}

static void variant_release(struct variant *v)
{
	free(v->name);
	free(v->command);
	words_free(v->argv);
	words_free(v->assignments);
	free(v->hooks.setup);
	free(v->hooks.prepare);
	free(v->hooks.conclude);
	free(v->hooks.cleanup);
	*v = (struct variant){0};
}

static int make(struct builder *b, struct variant *v, size_t command)
{
	const struct variant_spec *s = b->spec;
	bool by_command = s->n_names == 1 || s->n_names == variant_spec_commands(s);
	const char *name = by_command ? nth(s->names, s->n_names, command) : NULL;
	int rc;

	if (s->argv && s->shell && s->argv[0] && s->argv[1]) {
		snprintf(b->err, b->err_size,
			 "--shell takes the command as one word: quote it as a whole");
		return -EINVAL;
	}
	if (s->argv && !s->shell && !is_quoted_whole(s->argv))
		rc = from_words(b, v, s->argv);
	else
		rc = from_string(b, v, s->argv ? s->argv[0] : s->commands[command]);

	rc = rc ? rc : make_hooks(b, &v->hooks, command);
	return rc ? rc : fill(b, name, false, &v->name);
}

/* A command is not repeated for the values of a parameter that it does not use. */
static bool repeats(const struct builder *b)
{
	for (size_t i = 0; i < b->spec->n_parameters; i++)
		if (b->choice[i] && !b->used_here[i])
			return true;
	return false;
}

static int add(struct builder *b, size_t command)
{
	struct variant_list *list = b->list;
	size_t n = b->spec->n_parameters;
	struct variant v = {0};
	struct variant *grown;
	int rc;

	memset(b->used_here, 0, n * sizeof(*b->used_here));
	rc = make(b, &v, command);
	for (size_t i = 0; i < n; i++)
		b->used[i] |= b->used_here[i];
	if (rc || repeats(b)) {
		variant_release(&v);
		return rc;
	}
	grown = realloc(list->v, (list->n + 1) * sizeof(*grown));
	if (!grown) {
		variant_release(&v);
		return no_memory(b);
	}
	list->v = grown;
	list->v[list->n++] = v;
	return 0;
}

/* The last parameter turns fastest. Returns false after the last choice. */
static bool next_choice(struct builder *b)
{
	for (size_t i = b->spec->n_parameters; i-- > 0;) {
		if (++b->choice[i] < b->spec->parameters[i].n)
			return true;
		b->choice[i] = 0;
	}
	return false;
}

static int check_used(struct builder *b)
{
	for (size_t i = 0; i < b->spec->n_parameters; i++) {
		if (b->used[i])
			continue;
		snprintf(b->err, b->err_size, "-L %s: nothing uses {%s}",
			 b->spec->parameters[i].name, b->spec->parameters[i].name);
		return -EINVAL;
	}
	return 0;
}

static int check_parameters(struct builder *b)
{
	const struct parameter *p = b->spec->parameters;

	for (size_t i = 0; i < b->spec->n_parameters; i++) {
		for (size_t j = 0; j < i; j++) {
			if (strcmp(p[i].name, p[j].name))
				continue;
			snprintf(b->err, b->err_size, "-L %s is given twice", p[i].name);
			return -EINVAL;
		}
	}
	return 0;
}

static int build(struct builder *b)
{
	size_t n = variant_spec_commands(b->spec);
	int rc = check_lists(b);

	rc = rc ? rc : check_parameters(b);
	if (!rc && n == 0) {
		snprintf(b->err, b->err_size, "no command is given");
		rc = -EINVAL;
	}
	if (rc)
		return rc;
	do {
		for (size_t i = 0; i < n && !rc; i++)
			rc = add(b, i);
	} while (!rc && next_choice(b));
	rc = rc ? rc : check_used(b);
	return rc ? rc : variant_names_finish(b->list, b->spec, b->err, b->err_size);
}

int variant_list_build(struct variant_list *list, const struct variant_spec *spec, char *err,
		       size_t err_size)
{
	struct builder b = {.list = list, .spec = spec, .err = err, .err_size = err_size};
	size_t n = spec->n_parameters + 1;
	int rc;

	*list = (struct variant_list){0};
	b.choice = calloc(n, sizeof(*b.choice));
	b.used = calloc(n, sizeof(*b.used));
	b.used_here = calloc(n, sizeof(*b.used_here));
	rc = b.choice && b.used && b.used_here ? build(&b) : no_memory(&b);
	free(b.choice);
	free(b.used);
	free(b.used_here);
	if (rc)
		variant_list_release(list);
	return rc;
}

void variant_list_release(struct variant_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		variant_release(&list->v[i]);
	free(list->v);
	*list = (struct variant_list){0};
}
