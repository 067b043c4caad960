/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Builds the event that a list of terms describes: aliases from the PMU's directory `events`, bits
 * from `format`.
 */
#include "pmu-build.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event-source.h"
#include "file-text.h"
#include "pmu-terms.h"

/* What every event of the list of terms is built from. */
struct pmu_event {
	struct event_scan *scan;
	const struct pmu *pmu;
	const struct pmu_terms *terms; /* as the user wrote them */
	const char *text;              /* the whole name, for messages */
	struct perf_event_attr attr;
	const char *name; /* that the term `name` gives, or NULL */
	char *unit;
	double scale;
};

static int apply_term(struct pmu_event *event, const struct pmu_term *term, bool from_alias);

static char *alias_text(const struct pmu_event *event, const char *name, const char *suffix)
{
	if (!event_name_is_plain(name, strlen(name)))
		return NULL;
	return file_text(PMU_PATH "/events/%s%s", event->scan->roots->sysfs, event->pmu->name, name,
			 suffix);
}

static void read_scale_and_unit(struct pmu_event *event, const char *alias)
{
	char *scale = alias_text(event, alias, ".scale");
	char *unit = alias_text(event, alias, ".unit");
	char *end;

	if (scale) {
		double value = strtod(scale, &end);

		if (end != scale && *end == '\0' && value > 0)
			event->scale = value;
	}
	free(scale);
	if (unit) {
		free(event->unit);
		event->unit = unit;
	}
}

/* A parameter of an alias, written "core=?" in sysfs, must be among the terms that the user gave.
 */
static int check_parameter(struct pmu_event *event, const char *alias, const char *parameter)
{
	if (pmu_terms_find(event->terms, parameter))
		return 0;
	return event_scan_fail(event->scan, EINVAL,
			       "'%s': the event '%s' needs a value: %s/%s,%s=N/", event->text,
			       alias, event->pmu->name, alias, parameter);
}

static int apply_alias(struct pmu_event *event, const char *name, char *text)
{
	struct pmu_terms terms;
	int e = pmu_terms_parse(&terms, text);

	for (size_t i = 0; i < terms.n && e == 0; i++) {
		const struct pmu_term *term = &terms.terms[i];

		if (term->value && !strcmp(term->value, "?"))
			e = check_parameter(event, name, term->name);
		else
			e = apply_term(event, term, true);
	}
	if (e == 0)
		read_scale_and_unit(event, name);
	pmu_terms_release(&terms);
	return e;
}

static int term_number(struct pmu_event *event, const struct pmu_term *term, uint64_t *value)
{
	*value = 1;
	if (!term->value || pmu_term_number(term->value, value) == 0)
		return 0;
	return event_scan_fail(event->scan, EINVAL, "'%s': '%s' is not a number for the term '%s'",
			       event->text, term->value, term->name);
}

static int apply_bits(struct pmu_event *event, const struct pmu_term *term,
		      const struct pmu_format *format)
{
	uint64_t value;
	int e = term_number(event, term, &value);

	if (e == 0)
		e = pmu_format_set(format, &event->attr, value);
	if (e == -ERANGE)
		return event_scan_fail(
		    event->scan, EINVAL,
		    "'%s': %s is too big for the term '%s', which holds at most %#llx", event->text,
		    term->value, term->name, (unsigned long long)pmu_format_max(format));
	if (e == -ENOTSUP)
		return event_scan_fail(
		    event->scan, EINVAL,
		    "'%s': the term '%s' needs a newer abstat: it was built with headers "
		    "of a kernel that had no config3",
		    event->text, term->name);
	return e;
}

/* Terms that mean the same for every PMU. Returns 1 if TERM is none of them. */
static int apply_common(struct pmu_event *event, const struct pmu_term *term)
{
	static const char *const words[] = {"config", "config1", "config2", "config3"};
	uint64_t unused;

	for (size_t i = 0; term->value && i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(term->name, words[i]))
			return apply_bits(event, term,
					  &(struct pmu_format){.word = i, .mask = UINT64_MAX});
	if (!strcmp(term->name, "name") && term->value) {
		event->name = term->value;
		return 0;
	}
	/* It is for sampling: as in perf stat, it changes nothing in a count. */
	if (!strcmp(term->name, "period") && term->value)
		return term_number(event, term, &unused);
	return 1;
}

/* cycles, L1-dcache-loads or r3c between the slashes of a core PMU. Returns 1 if TERM is none of
 * these. */
static int apply_generic(struct pmu_event *event, const struct pmu_term *term)
{
	static const struct event_source *const sources[] = {
	    &event_source_hardware, &event_source_cache, &event_source_raw};
	struct event_scan plain = {.roots = event->scan->roots};
	int found = 0;

	if (term->value || !event->pmu->core)
		return 1;
	for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]) && found == 0; i++)
		found = sources[i]->resolve(&plain, term->name);
	if (found == 1) {
		event->attr.config = plain.found.events[0].attr.config;
		if (plain.found.events[0].attr.type != PERF_TYPE_RAW) {
			event->attr.type = plain.found.events[0].attr.type;
			if (event->scan->pmus.n_core > 1)
				event->attr.config |= (uint64_t)event->pmu->type
						      << PERF_PMU_TYPE_SHIFT;
		}
	}
	event_list_release(&plain.found);
	return found < 0 ? found : !found;
}

static int unknown_term(struct pmu_event *event, const struct pmu_term *term)
{
	char path[PATH_MAX], known[256] = "";
	struct dirent **entries;
	size_t used = 0;
	int n;

	snprintf(path, sizeof(path), PMU_PATH "/format", event->scan->roots->sysfs,
		 event->pmu->name);
	n = scandir(path, &entries, NULL, alphasort);
	for (int i = 0; i < n; i++) {
		if (entries[i]->d_name[0] != '.' && used < sizeof(known))
			used += (size_t)snprintf(known + used, sizeof(known) - used, "%s%s",
						 used ? ", " : "", entries[i]->d_name);
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
	return event_scan_fail(
	    event->scan, EINVAL,
	    "'%s': the PMU '%s' has no term or event '%s'; its terms: %s; for its "
	    "events see 'abstat list %s/'",
	    event->text, event->pmu->name, term->name, *known ? known : "config", event->pmu->name);
}

static int apply_format(struct pmu_event *event, const struct pmu_term *term)
{
	struct pmu_format format;
	char *text;
	int e;

	if (!event_name_is_plain(term->name, strlen(term->name)))
		return 1;
	text = file_text(PMU_PATH "/format/%s", event->scan->roots->sysfs, event->pmu->name,
			 term->name);
	if (!text)
		return 1;
	e = pmu_format_parse(text, &format);
	if (e < 0)
		e = event_scan_fail(
		    event->scan, EINVAL,
		    "'%s': sysfs describes the term '%s' as '%s', which is not a list of "
		    "bits",
		    event->text, term->name, text);
	else
		e = apply_bits(event, term, &format);
	free(text);
	return e;
}

static int apply_term(struct pmu_event *event, const struct pmu_term *term, bool from_alias)
{
	char *alias = term->value || from_alias ? NULL : alias_text(event, term->name, "");
	int e;

	if (alias) {
		e = apply_alias(event, term->name, alias);
		free(alias);
		return e;
	}
	e = apply_format(event, term);
	if (e == 1)
		e = apply_common(event, term);
	if (e == 1)
		e = apply_generic(event, term);
	return e == 1 ? unknown_term(event, term) : e;
}

static int add_event(struct pmu_event *build, const char *name)
{
	struct event *event =
	    event_scan_add(build->scan, build->name ? build->name : name, build->pmu);

	if (!event || event_set_string(&event->unit, build->unit ? build->unit : ""))
		return -ENOMEM;
	event->attr = build->attr;
	event->scale = build->scale;
	event->software =
	    build->attr.type == PERF_TYPE_SOFTWARE || build->attr.type == PERF_TYPE_TRACEPOINT ||
	    build->attr.type == PERF_TYPE_BREAKPOINT || !strcmp(build->pmu->name, "uprobe") ||
	    !strcmp(build->pmu->name, "kprobe");
	return 0;
}

int pmu_build_event(struct event_scan *scan, const struct pmu *pmu, const struct pmu_terms *terms,
		    const char *text, const char *name)
{
	struct pmu_event build = {.scan = scan,
				  .pmu = pmu,
				  .terms = terms,
				  .text = text,
				  .attr.type = pmu->type,
				  .scale = 1};
	int e = 0;

	for (size_t i = 0; i < terms->n && e == 0; i++)
		e = apply_term(&build, &terms->terms[i], false);
	if (e == 0)
		e = add_event(&build, name);
	free(build.unit);
	return e;
}
