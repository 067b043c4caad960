/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scopes that are functions of the kernel. */
#include "scope-find.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file-text.h"

struct kernel_search {
	const char *wanted;
	size_t functions, data; /* that are called so */
	char modules[128];      /* where they are, but for the kernel itself: "ext4, xfs" */
	char variants[256];     /* "f.isra.0" */
	struct nearest_names nearest;
};

/* "ffffffff81000000 T name", then "[module]" for what is in one. */
static void take_line(struct kernel_search *x, const char *line)
{
	char type, name[512], module[64] = "";

	if (sscanf(line, "%*s %c %511s [%63[^]]]", &type, name, module) < 2)
		return;
	bool function = strchr("tTwW", type) != NULL;

	if (strcmp(name, x->wanted) != 0) {
		if (function) {
			scope_note_variant(x->variants, sizeof(x->variants), x->wanted,
					   strlen(x->wanted), name, strlen(name));
			nearest_names_consider(&x->nearest, name, name);
		}
		return;
	}
	x->functions += function;
	x->data += !function;
	size_t len = strlen(x->modules);

	if (function && len + strlen(module) + 3 < sizeof(x->modules))
		snprintf(x->modules + len, sizeof(x->modules) - len, "%s%s", len ? ", " : "",
			 *module ? module : "the kernel");
}

static int read_symbols(const struct scope_search *s, const char *proc, struct kernel_search *x)
{
	char path[256], *line = NULL;
	size_t room = 0;

	snprintf(path, sizeof(path), "%s/kallsyms", proc);
	FILE *symbols = fopen(path, "re");

	if (!symbols)
		return scope_fail(s, -errno,
				  "the kernel's functions cannot be listed: %s: %s", path, strerror(errno));
	while (getline(&line, &room, symbols) > 0)
		take_line(x, line);
	free(line);
	fclose(symbols);
	return 0;
}

/* Lines are "0xADDRESS-0xADDRESS<tab>NAME"; only root may read them, and only with debugfs. */
static bool is_forbidden(const char *sys, const char *name)
{
	char *text = file_text("%s/kernel/debug/kprobes/blacklist", sys), *rest = text, *line;
	bool found = false;

	while (!found && (line = strsep(&rest, "\n"))) {
		const char *tab = strchr(line, '\t');

		found = tab && !strcmp(tab + 1, name);
	}
	free(text);
	return found;
}

static int not_one(const struct scope_search *s, const struct kernel_search *x)
{
	char nearest[320];

	if (x->functions > 1)
		return scope_fail(
		    s, -ENOTUNIQ,
		    "the kernel has %zu functions called '%s' (in %s), of which "
		    "none can be chosen by name: scope one that calls it",
		    x->functions, x->wanted, x->modules);
	if (x->data)
		return scope_fail(s, -ENOENT, "'%s' is data of the kernel, not a function",
				  x->wanted);
	if (*x->variants)
		return scope_fail(s, -ENOENT,
				  "the kernel has no function '%s', but what the compiler "
				  "made of it: scope k:%s",
				  x->wanted, x->variants);
	nearest_names_text(&x->nearest, nearest, sizeof(nearest));
	return scope_fail(s, -ENOENT,
			  "the kernel has no function '%s'%s%s; if it is in a module, load "
			  "that first; if it was inlined into others, scope one of those",
			  x->wanted, *nearest ? "; did you mean: k:" : "", nearest);
}

int scope_find_kernel_in(const struct scope_search *s, const char *proc, const char *sys)
{
	struct kernel_search x = {.wanted = s->spec->symbol};
	int r;

	x.nearest.name = x.wanted;
	x.nearest.len = strnlen(x.wanted, NEAREST_LONGEST - 1);
	if (!file_exists("%s/bus/event_source/devices/kprobe", sys))
		return scope_fail(
		    s, -ENOTSUP,
		    "this kernel was built without kprobes (CONFIG_KPROBES), so that its functions "
		    "cannot be scoped: use another kernel, or scope the function of the program "
		    "that calls it");
	r = read_symbols(s, proc, &x);
	if (!r && x.functions != 1)
		r = not_one(s, &x);
	if (!r && is_forbidden(sys, x.wanted))
		r = scope_fail(
		    s, -EINVAL,
		    "the kernel allows no probe in '%s', which kprobes themselves "
		    "or entry code use: scope a function that it calls, or that calls it",
		    x.wanted);
	if (r)
		return r;
	s->target->symbol = strdup(x.wanted);
	s->target->begin.first = SCOPE_CLASS_KERNEL;
	s->target->at_return = true;
	return s->target->symbol ? 0 : -ENOMEM;
}

int scope_find_kernel(const struct scope_search *s)
{
	return scope_find_kernel_in(s, "/proc", "/sys");
}
