/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events of a PMU that sysfs describes: PMU/TERM[=VALUE],.../ and, by themselves, the names in its
 * directory `events`. The bits of a term are those that the PMU's directory `format` gives.
 */
#include "event-source.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file-text.h"
#include "pmu-build.h"
#include "pmu-terms.h"

/* uncore_imc names uncore_imc_0, uncore_imc_1, ...; so does imc. */
static bool matches_instance(const char *pattern, const char *name)
{
	size_t len = strlen(pattern);

	if (!fnmatch(pattern, name, 0))
		return true;
	if (!strncmp(name, "uncore_", 7) && strncmp(pattern, "uncore_", 7) &&
	    matches_instance(pattern, name + 7))
		return true;
	return !strncmp(name, pattern, len) && name[len] == '_' && name[len + 1] &&
	       strspn(name + len + 1, "0123456789") == strlen(name + len + 1);
}

static bool names_pmu(const struct event_scan *scan, const char *asked, const struct pmu *pmu)
{
	if (pmu_find(&scan->pmus, asked))
		return !strcmp(asked, pmu->name);
	/* On a hybrid machine no PMU is called cpu: all core PMUs are meant. */
	if (!strcmp(asked, "cpu"))
		return pmu->core;
	return matches_instance(asked, pmu->name);
}

static int no_such_pmu(struct event_scan *scan, const char *asked, const char *text)
{
	static const char *const core_names[] = {"cpu", "cpu_core", "cpu_atom", "armv8_*",
						 "armv9_*"};
	char names[256] = "";
	size_t used = 0;

	/* A machine without counters: the event is a good one, but cannot be counted here. */
	for (size_t i = 0; scan->pmus.n_core == 0 && i < sizeof(core_names) / sizeof(core_names[0]);
	     i++) {
		struct event *event;

		if (fnmatch(core_names[i], asked, 0))
			continue;
		event = event_scan_add(scan, text, NULL);
		if (!event)
			return -ENOMEM;
		event->attr.type = PERF_TYPE_RAW;
		event->reason = EVENT_NO_PMU;
		event->error = ENOENT;
		return 1;
	}
	for (size_t i = 0; i < scan->pmus.n && used < sizeof(names); i++)
		used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%s",
					 used ? ", " : "", scan->pmus.pmus[i].name);
	return event_scan_fail(scan, ENOENT, "'%s': this machine has no PMU '%s'; it has: %s", text,
			       asked, *names ? names : "none");
}

static int resolve_in(struct event_scan *scan, const char *asked, const char *rest,
		      const struct pmu_terms *terms, const char *text)
{
	size_t matching = 0;
	int e = 0;

	for (size_t i = 0; i < scan->pmus.n; i++)
		matching += names_pmu(scan, asked, &scan->pmus.pmus[i]);
	if (matching == 0)
		return no_such_pmu(scan, asked, text);
	for (size_t i = 0; i < scan->pmus.n && e == 0; i++) {
		const struct pmu *pmu = &scan->pmus.pmus[i];
		char *name;

		if (!names_pmu(scan, asked, pmu))
			continue;
		if (matching == 1 && !strcmp(asked, pmu->name)) {
			e = pmu_build_event(scan, pmu, terms, text, text);
			continue;
		}
		if (asprintf(&name, "%s/%s", pmu->name, rest) < 0)
			return -ENOMEM;
		e = pmu_build_event(scan, pmu, terms, text, name);
		free(name);
	}
	return e < 0 ? e : 1;
}

static int resolve_terms(struct event_scan *scan, const char *text, const char *slash)
{
	char *pmu = strndup(text, (size_t)(slash - text));
	char *inner = strndup(slash + 1, strlen(slash + 1) - 1);
	struct pmu_terms terms = {0};
	int e = -ENOMEM;

	if (pmu && inner) {
		e = pmu_terms_parse(&terms, inner);
		if (e == -EINVAL)
			event_scan_fail(
			    scan, EINVAL,
			    "'%s': between the slashes belong TERM or TERM=VALUE, separated by "
			    "commas",
			    text);
	}
	if (e == 0)
		e = resolve_in(scan, pmu, slash + 1, &terms, text);
	pmu_terms_release(&terms);
	free(inner);
	free(pmu);
	return e;
}

static bool has_alias(const struct event_scan *scan, const struct pmu *pmu, const char *name)
{
	return event_name_is_plain(name, strlen(name)) && !strstr(name, ".unit") &&
	       !strstr(name, ".scale") &&
	       file_exists(PMU_PATH "/events/%s", scan->roots->sysfs, pmu->name, name);
}

/* The name of a PMU's event by itself: that of the core PMUs that have it, else of all PMUs that
 * do. */
static int resolve_alias(struct event_scan *scan, const char *name)
{
	struct pmu_term term = {.name = (char *)name};
	const struct pmu_terms terms = {.terms = &term, .n = 1};
	size_t core = 0, other = 0;
	int e = 0;

	for (size_t i = 0; i < scan->pmus.n; i++) {
		const struct pmu *pmu = &scan->pmus.pmus[i];

		if (has_alias(scan, pmu, name))
			*(pmu->core ? &core : &other) += 1;
	}
	for (size_t i = 0; i < scan->pmus.n && e == 0; i++) {
		const struct pmu *pmu = &scan->pmus.pmus[i];
		char *qualified;

		if (!has_alias(scan, pmu, name) || (core && !pmu->core))
			continue;
		if (asprintf(&qualified, "%s/%s/", pmu->name, name) < 0)
			return -ENOMEM;
		e = pmu_build_event(scan, pmu, &terms, name,
				    core + other == 1 || core == 1 ? name : qualified);
		free(qualified);
	}
	return e < 0 ? e : core + other > 0;
}

static int resolve(struct event_scan *scan, const char *name)
{
	const char *slash = strchr(name, '/');

	if (!slash)
		return resolve_alias(scan, name);
	if (slash == name || !slash[1] || name[strlen(name) - 1] != '/')
		return 0;
	return resolve_terms(scan, name, slash);
}

static int list_alias(struct event_scan *scan, const struct pmu *pmu, const char *alias,
		      event_known_fn *fn, void *context)
{
	char *text = file_text(PMU_PATH "/events/%s", scan->roots->sysfs, pmu->name, alias);
	char *name = NULL;
	int e = 0;

	if (text && asprintf(&name, "%s/%s/", pmu->name, alias) < 0) {
		name = NULL;
		e = -ENOMEM;
	}
	if (name)
		e = fn(context, &(struct event_known){name, alias, "pmu", text});
	free(name);
	free(text);
	return e;
}

static int enumerate(struct event_scan *scan, event_known_fn *fn, void *context)
{
	int e = 0;

	for (size_t i = 0; i < scan->pmus.n; i++) {
		const struct pmu *pmu = &scan->pmus.pmus[i];
		struct dirent **entries;
		char path[PATH_MAX];
		int n;

		snprintf(path, sizeof(path), PMU_PATH "/events", scan->roots->sysfs, pmu->name);
		n = scandir(path, &entries, NULL, alphasort);
		for (int k = 0; k < n; k++) {
			const char *alias = entries[k]->d_name;

			if (e == 0 && has_alias(scan, pmu, alias) && !strstr(alias, ".snapshot") &&
			    !strstr(alias, ".per-pkg"))
				e = list_alias(scan, pmu, alias, fn, context);
			free(entries[k]);
		}
		if (n >= 0)
			free(entries);
	}
	return e;
}

const struct event_source event_source_pmu = {"pmu", resolve, enumerate};
