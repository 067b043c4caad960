/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Programs are looked up once, as a shell does, in the PATH that the run itself will see. With
 * layout_block, an environment variable is sized so that everything that exec copies to the top of
 * the stack is equally long in all variants of a block.
 */
#include "launch.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "environment.h"
#include "program-search.h"

#define PADDING_NAME "ABSTAT_LAYOUT="
#define PADDING_PARITY "ABSTAT_LAYOUT_EVEN="

static void launch_clear(struct launch *l)
{
	/* The padding is one of envp's words: it is freed with them at its full length. */
	free(l->path);
	words_free(l->argv);
	words_free(l->envp);
	*l = (struct launch){0};
}

static bool mentions_block(char *const *words)
{
	for (; words && *words; words++)
		if (strstr(*words, "{block}"))
			return true;
	return false;
}

static char **expand_all(char *const *words, uint64_t seed)
{
	size_t n = 0;
	char **out;

	while (words && words[n])
		n++;
	out = calloc(n + 1, sizeof(*out));
	for (size_t i = 0; out && i < n; i++) {
		out[i] = block_expand(words[i], seed);
		if (!out[i]) {
			words_free(out);
			return NULL;
		}
	}
	return out;
}

static int launch_fill(struct launch *l, const struct run_config *config, const struct variant *v,
		       uint64_t seed)
{
	char **assignments = expand_all(v->assignments, seed);

	l->argv = expand_all(v->argv, seed);
	l->envp = assignments ? environment_build(environ, config->env, assignments, 2) : NULL;
	words_free(assignments);
	if (!l->argv || !l->envp) {
		launch_clear(l);
		return -ENOMEM;
	}
	l->expands = mentions_block(v->argv) || mentions_block(v->assignments);
	l->block_seed = seed;
	return 0;
}

static int look_up(struct launch *l, const char *cwd)
{
	/* Whatever is at a path is for execve() to refuse. */
	if (strchr(l->argv[0], '/')) {
		l->path = strdup(l->argv[0]);
		return l->path ? 0 : -ENOMEM;
	}
	return program_search(l->argv[0], cwd, environment_get(l->envp, "PATH"), &l->path);
}

static size_t add_up(char *const *words, size_t *n)
{
	size_t bytes = 0;

	for (; *words; words++, (*n)++)
		bytes += strlen(*words) + 1;
	return bytes;
}

static void measure(struct launch *l)
{
	l->pointers = 0;
	l->strings = add_up(l->argv, &l->pointers) + add_up(l->envp, &l->pointers);
}

/*
 * The kernel rounds the strings to 16 bytes, and after them the pointers: an even number of
 * pointers is a multiple of 16 too, so one word more or less shows as plain bytes.
 */
static int pad_prepare(struct launch *l)
{
	size_t n = 0;

	measure(l);
	while (l->envp[n])
		n++;
	if (l->pointers % 2 == 0) {
		l->envp[n] = strdup(PADDING_PARITY);
		if (!l->envp[n])
			return -ENOMEM;
		n++;
		l->pointers++;
		l->strings += sizeof(PADDING_PARITY);
	}
	l->pointers++;
	l->strings += strlen(l->path) + 1;
	l->padding_slot = n;
	return 0;
}

static int padding_grow(struct launch *l, size_t size)
{
	size_t from = l->padding ? l->padding_end : strlen(PADDING_NAME);
	char *padding = realloc(l->padding, size);

	if (!padding)
		return -ENOMEM;
	memcpy(padding, PADDING_NAME, strlen(PADDING_NAME));
	memset(padding + from, 'x', size - from);
	padding[size - 1] = '\0';
	l->padding = padding;
	l->padding_size = size;
	l->padding_end = size - 1;
	l->envp[l->padding_slot] = padding;
	return 0;
}

static int pad(struct launch *l, size_t total, uint32_t offset)
{
	size_t have = l->strings + l->pointers * sizeof(char *);
	size_t end = total + offset - have - 1;

	if (have + sizeof(PADDING_NAME) > total + offset)
		return -E2BIG;
	if (end >= l->padding_size) {
		int rc = padding_grow(l, end + 1024);

		if (rc)
			return rc;
	}
	l->padding[l->padding_end] = 'x';
	l->padding[end] = '\0';
	l->padding_end = end;
	return 0;
}

int launcher_init(struct launcher *l, const struct run_config *config)
{
	*l = (struct launcher){.config = config};
	l->launches = calloc(config->n_variants ? config->n_variants : 1, sizeof(*l->launches));
	if (!l->launches)
		return -ENOMEM;
	if (!config->layout_block)
		return 0;
	for (size_t i = 0; i < config->n_variants; i++) {
		struct launch probe = {0};
		size_t total;

		/* The longest seed: what is filled in later is not longer. */
		if (launch_fill(&probe, config, &config->variants[i], UINT64_MAX))
			return -ENOMEM;
		measure(&probe);
		total = probe.strings + probe.pointers * sizeof(char *);
		if (l->stack_total < total)
			l->stack_total = total;
		launch_clear(&probe);
	}
	/* Plus the path, however long a directory it turns out to be in, and the two variables. */
	l->stack_total += PATH_MAX + 128;
	return 0;
}

void launcher_release(struct launcher *l)
{
	for (size_t i = 0; l->launches && i < l->config->n_variants; i++)
		launch_clear(&l->launches[i]);
	free(l->launches);
	l->launches = NULL;
}

int launcher_prepare(struct launcher *l, const struct run_request *request,
		     const struct launch **launch)
{
	const struct variant *v = &l->config->variants[request->variant];
	struct launch *x = &l->launches[request->variant];
	int rc;

	if (x->argv && x->expands && x->block_seed != request->block_seed)
		launch_clear(x);
	if (!x->argv) {
		rc = launch_fill(x, l->config, v, request->block_seed);
		if (rc)
			return rc;
	}
	if (!x->path) {
		rc = look_up(x, l->config->cwd);
		if (rc)
			return rc;
		rc = l->config->layout_block ? pad_prepare(x) : 0;
		if (rc)
			return rc;
	}
	rc = l->config->layout_block ? pad(x, l->stack_total, request->stack_offset) : 0;
	*launch = x;
	return rc;
}
