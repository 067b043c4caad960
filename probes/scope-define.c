/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Defining and removing probes.
 */
#include "scope-define.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file-text.h"
#include "scope-set.h"
#include "scope-tracefs.h"
#include "scope-trial.h"

#define GROUP_PREFIX "abstat_"
/* Returns at once that the kernel can see; those of more sleepers are counted as missed. */
#define MAX_ACTIVE 100

static const char *const files[] = {"uprobe_events", "kprobe_events"};

static const char *file_of(const struct scope_target *target)
{
	return files[target->kind == SCOPE_KERNEL];
}

/* When a process started, in ticks since the boot: with its number, that names it. 0: none. */
static unsigned long long start_time(long pid)
{
	unsigned long long start = 0;
	char *text = file_text("/proc/%ld/stat", pid), *p;

	if (!text)
		return 0;
	p = strrchr(text, ')');
	/* The 22nd field; the name, which may hold anything, is the 2nd. */
	for (int field = 2; p && field < 22; field++)
		p = strchr(p + 1, ' ');
	if (p)
		start = strtoull(p, NULL, 10);
	free(text);
	return start;
}

/* Whether the process that GROUP is named after lives. */
static bool in_use(const char *group)
{
	unsigned long long start;
	long pid;

	if (sscanf(group, GROUP_PREFIX "%ld_%llu", &pid, &start) != 2)
		return true;
	return start_time(pid) == start;
}

static void remove_event(int tracefs, const char *file, const char *event)
{
	char line[128];

	if (snprintf(line, sizeof(line), "-:%s\n", event) < (int)sizeof(line))
		tracefs_append(tracefs, file, line);
}

/*
 * Removes the definitions of GROUP, or, if NULL, those of processes that are gone. A line is
 * "p:GROUP/NAME PLACE", and there may be several of a name.
 */
static void remove_events(int tracefs, const char *file, const char *group)
{
	char *text = tracefs_read(tracefs, file), *rest = text, *line;

	while ((line = strsep(&rest, "\n"))) {
		char *name = strchr(line, ':'), *slash = name ? strchr(name, '/') : NULL;
		char of[64];

		if (!slash || strncmp(name + 1, GROUP_PREFIX, strlen(GROUP_PREFIX)))
			continue;
		snprintf(of, sizeof(of), "%.*s", (int)(slash - name - 1), name + 1);
		name[1 + strcspn(name + 1, " ")] = '\0';
		if (group ? !strcmp(group, of) : !in_use(of))
			remove_event(tracefs, file, name + 1);
	}
	free(text);
}

static int explain(const struct scope_target *t, int error, char *err, size_t err_size)
{
	switch (-error) {
	case EACCES:
	case EPERM:
		snprintf(err, err_size,
			 "scope '%s': this user may not define probes; run as root or with "
			 "CAP_SYS_ADMIN",
			 t->name);
		break;
	case EADDRNOTAVAIL:
		snprintf(err, err_size,
			 "scope '%s': the kernel has several functions named %s, and cannot tell "
			 "which is meant: scope a function that calls it",
			 t->name, t->symbol);
		break;
	case KERNEL_ENOTSUPP:
		snprintf(err, err_size,
			 "scope '%s': the instruction at the beginning or the end of %s cannot be "
			 "probed: scope %s",
			 t->name, t->symbol ? t->symbol : t->file,
			 t->kind == SCOPE_KERNEL ? "a function that it calls, or that calls it"
						 : "a range that leaves it out "
						   "(FUNC+0x10..FUNC+0x40), or what calls it");
		break;
	case ENOENT:
		if (t->kind == SCOPE_KERNEL && !t->file) {
			snprintf(
			    err, err_size,
			    "scope '%s': this kernel has no probes on its functions "
			    "(CONFIG_KPROBE_EVENTS), or no function %s: use another kernel, or "
			    "scope the function of the program that calls it",
			    t->name, t->symbol);
			break;
		}
		if (!access(t->file, R_OK)) {
			snprintf(err, err_size,
				 "scope '%s': this kernel has no probes on programs "
				 "(CONFIG_UPROBE_EVENTS): use another kernel, or mark a region in "
				 "the source, which takes none: see abstat-scopes(7)",
				 t->name);
			break;
		}
		/* fall through */
	default:
		snprintf(err, err_size, "scope '%s': the kernel does not take a probe on %s: %s",
			 t->name, t->symbol ? t->symbol : t->file, strerror(-error));
	}
	return error;
}

/* Such a path is one word of the definition, and nothing in it means anything to the kernel. */
static bool plain(const char *path)
{
	return path[strspn(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				 "0123456789/._+-")] == '\0';
}

static int define_site(const struct scope_definitions *d, const struct scope_target *t,
		       const struct scope_site *site, const char *name, char type, const char *path)
{
	char *line = NULL, reference[32] = "";
	int n, rc;

	if (site->semaphore)
		snprintf(reference, sizeof(reference), "(0x%" PRIx64 ")", site->semaphore);
	if (t->kind != SCOPE_KERNEL)
		n = asprintf(&line, "%c:%s/%s %s:0x%" PRIx64 "%s\n", type, d->group, name, path,
			     site->offset, reference);
	else if (type == 'r')
		n = asprintf(&line, "r%d:%s/%s %s\n", MAX_ACTIVE, d->group, name, t->symbol);
	else if (site->offset)
		n = asprintf(&line, "p:%s/%s %s+%" PRIu64 "\n", d->group, name, t->symbol,
			     site->offset);
	else
		n = asprintf(&line, "p:%s/%s %s\n", d->group, name, t->symbol);
	if (n < 0)
		return -ENOMEM;
	rc = tracefs_append(d->tracefs, file_of(t), line);
	free(line);
	return rc;
}

static int tracepoint_id(const struct scope_definitions *d, const char *name, uint64_t *id)
{
	char path[128];
	char *text;

	snprintf(path, sizeof(path), "events/%s/%s/id", d->group, name);
	text = tracefs_read(d->tracefs, path);
	if (!text)
		return -ENOENT;
	*id = strtoull(text, NULL, 10);
	free(text);
	return 0;
}

/* Several sites of one event are hit under one number: their hits are one sequence. */
static int define_tracepoint(struct scope_definitions *d, unsigned scope, bool end,
			     const struct scope_site *sites, size_t n, char type, const char *path)
{
	const struct scope_target *t = &d->targets[scope];
	struct scope_probe *probe = &d->probes[d->n_probes];
	char name[48];
	uint64_t id = 0;
	int rc = 0;

	/* The profile of kprobes tells names only, without the group. */
	snprintf(name, sizeof(name), "s%u%c_%d", scope, end ? 'e' : 'b', (int)getpid());
	for (size_t i = 0; i < n && !rc; i++)
		rc = define_site(d, t, &sites[i], name, type, path);
	rc = rc ? rc : tracepoint_id(d, name, &id);
	if (rc)
		return rc;
	*probe = (struct scope_probe){.scope = scope, .end = end};
	probe->attr.type = PERF_TYPE_TRACEPOINT;
	probe->attr.config = id;
	d->n_probes++;
	return 0;
}

static int pmu_type(const char *name, uint32_t *type)
{
	int64_t n = file_number(-1, "/sys/bus/event_source/devices/%s/type", name);

	if (n < 0)
		return -ENOENT;
	*type = (uint32_t)n;
	return 0;
}

/* An event of the PMU has one site. Its retprobe bit is config:0, its semaphore config:32-63. */
static int define_pmu(struct scope_definitions *d, unsigned scope, bool end,
		      const struct scope_site *sites, size_t n, char type, const char *path)
{
	const struct scope_target *t = &d->targets[scope];
	bool kernel = t->kind == SCOPE_KERNEL;
	uint32_t pmu;
	int rc = pmu_type(kernel ? "kprobe" : "uprobe", &pmu);

	for (size_t i = 0; i < n && !rc; i++) {
		struct scope_probe *probe = &d->probes[d->n_probes++];

		*probe = (struct scope_probe){.scope = scope, .end = end};
		probe->attr.type = pmu;
		probe->attr.config = (type == 'r') | sites[i].semaphore << 32;
		probe->attr.config1 = (uintptr_t)(kernel ? t->symbol : path);
		probe->attr.config2 = sites[i].offset;
	}
	return rc;
}

typedef int define_fn(struct scope_definitions *d, unsigned scope, bool end,
		      const struct scope_site *sites, size_t n, char type, const char *path);

static int define_begin(struct scope_definitions *d, unsigned scope, define_fn *define,
			const char *path)
{
	const struct scope_target *t = &d->targets[scope];
	struct scope_site *sites;
	int rc;

	if (!t->n_more)
		return define(d, scope, false, &t->begin, 1, 'p', path);
	/* Calls are counted a second time by one event, which tracefs gives to several places. */
	if (d->tracefs < 0)
		return -EACCES;
	sites = calloc(1 + t->n_more, sizeof(*sites));
	if (!sites)
		return -ENOMEM;
	sites[0] = t->begin;
	memcpy(sites + 1, t->more, t->n_more * sizeof(*sites));
	rc = define(d, scope, false, sites, 1 + t->n_more, 'p', path);
	free(sites);
	return rc;
}

static int define_target(struct scope_definitions *d, unsigned scope)
{
	define_fn *define = d->tracefs >= 0 ? define_tracepoint : define_pmu;
	const struct scope_target *t = &d->targets[scope];
	const char *path = t->file ? t->file : "";
	char through[32];
	int fd = -1, rc;

	if (d->tracefs >= 0 && !plain(path)) {
		fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			return -errno;
		snprintf(through, sizeof(through), "/proc/self/fd/%d", fd);
		path = through;
	}
	rc = define_begin(d, scope, define, path);
	if (!rc && scope_ending_of(t) == SCOPE_ENDING_RETURN) {
		struct scope_site site = {.offset = t->begin.offset};

		rc = define(d, scope, true, &site, 1, 'r', path);
	} else if (!rc) {
		rc = define(d, scope, true, t->ends, t->n_ends, 'p', path);
	}
	if (fd >= 0)
		close(fd);
	return rc;
}

int scope_define(struct scope_definitions *d, const struct scope_target *targets, size_t n_targets,
		 char *err, size_t err_size)
{
	size_t n = 0;
	int rc = 0;

	*d = (struct scope_definitions){.targets = targets, .n_targets = n_targets};
	for (size_t i = 0; i < n_targets; i++)
		n += 2 + targets[i].n_ends;
	d->probes = calloc(n + 1, sizeof(*d->probes));
	d->tracefs = tracefs_open();
	if (!d->probes) {
		snprintf(err, err_size, "no memory for the probes");
		scope_undefine(d);
		return -ENOMEM;
	}
	snprintf(d->group, sizeof(d->group), GROUP_PREFIX "%d_%llu", (int)getpid(),
		 start_time(getpid()));
	for (size_t i = 0; d->tracefs >= 0 && i < sizeof(files) / sizeof(files[0]); i++)
		remove_events(d->tracefs, files[i], NULL);
	for (size_t i = 0; i < n_targets && !rc; i++) {
		rc = scope_is_region(&targets[i]) ? 0 : define_target(d, (unsigned)i);
		if (rc)
			explain(&targets[i], rc, err, err_size);
	}
	if (rc)
		scope_undefine(d);
	return rc;
}

void scope_undefine(struct scope_definitions *d)
{
	if (d->tracefs >= 0) {
		for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
			remove_events(d->tracefs, files[i], d->group);
		close(d->tracefs);
	}
	free(d->probes);
	*d = (struct scope_definitions){.tracefs = -1};
}

static bool has_kernel_scopes(const struct scope_definitions *d)
{
	for (size_t i = 0; i < d->n_targets; i++)
		if (d->targets[i].kind == SCOPE_KERNEL)
			return true;
	return false;
}

/* The scope whose end has the event NAME; n_targets: none of ours. */
static size_t scope_of_end(const struct scope_definitions *d, const char *name)
{
	for (size_t i = 0; i < d->n_targets; i++) {
		char end[48];

		snprintf(end, sizeof(end), "s%zue_%d", i, (int)getpid());
		if (d->targets[i].kind == SCOPE_KERNEL && !strcmp(name, end))
			return i;
	}
	return d->n_targets;
}

/* A line is "NAME HITS MISSES". */
void scope_missed(const struct scope_definitions *d, uint64_t *missed)
{
	char *text, *rest, *line;

	memset(missed, 0, d->n_targets * sizeof(*missed));
	if (d->tracefs < 0 || !has_kernel_scopes(d))
		return;
	text = rest = tracefs_read(d->tracefs, "kprobe_profile");
	while ((line = strsep(&rest, "\n"))) {
		char name[64];
		uint64_t hits, misses;

		if (sscanf(line, " %63s %" SCNu64 " %" SCNu64, name, &hits, &misses) != 3)
			continue;
		size_t scope = scope_of_end(d, name);

		if (scope < d->n_targets)
			missed[scope] = misses;
	}
	free(text);
}
