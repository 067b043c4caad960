/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds out which events can be counted here, by opening each one once.
 */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "counter-open.h"
#include "event-modifier.h"
#include "event-source.h"
#include "event.h"

const char *event_reason_text(enum event_reason reason)
{
	switch (reason) {
	case EVENT_OK:
		return "counts here";
	case EVENT_NO_PMU:
		return "this machine has no hardware counters (a virtual machine without a PMU?)";
	case EVENT_NOT_SUPPORTED:
		return "not supported by this machine's counters";
	case EVENT_NOT_PERMITTED:
		return "not permitted: see kernel.perf_event_paranoid in sysctl(8)";
	case EVENT_SYSTEM_WIDE_ONLY:
		return "counted for the whole machine only: needs -a or -C";
	case EVENT_FAILED:
		return "cannot be opened";
	}
	return "unknown";
}

/* A CPU where the event exists: of its own, else the one we are on. */
static int trial_cpu(const struct event *event)
{
	int cpu = sched_getcpu();

	for (size_t i = 0; i < event->n_cpus; i++)
		if (event->cpus[i] == cpu)
			return cpu;
	if (event->cpus && event->n_cpus)
		return event->cpus[0];
	return cpu < 0 ? 0 : cpu;
}

static int try_attr(const struct event *event, const struct perf_event_attr *attr, bool system_wide)
{
	struct perf_event_attr a = *attr;
	int fd;

	a.disabled = 1;
	a.inherit = !system_wide;
	a.enable_on_exec = !system_wide;
	if (system_wide)
		fd = counter_open(&a, -1, trial_cpu(event), -1);
	else
		fd = counter_open(&a, 0, -1, -1);
	if (fd < 0)
		return -fd;
	close(fd);
	return 0;
}

/* The modifier P takes the most precise level that there is. */
static bool may_be_less_precise(const struct event *event)
{
	const char *modifiers = event_modifiers_of(event->asked ? event->asked : "");

	return event_modifiers_possible(modifiers) && strchr(modifiers, 'P');
}

static int try_event(struct event *event, bool system_wide)
{
	int e = try_attr(event, &event->attr, system_wide);

	while (e && e != EACCES && e != EPERM && event->attr.precise_ip &&
	       may_be_less_precise(event)) {
		event->attr.precise_ip--;
		e = try_attr(event, &event->attr, system_wide);
	}
	return e;
}

static bool refused(int error)
{
	return error == EACCES || error == EPERM;
}

/*
 * Events that only happen in the kernel: restricted to user mode they open, and read 0 whatever
 * happens.
 */
static bool never_in_user_mode(const struct event *event)
{
	if (event->attr.type == PERF_TYPE_TRACEPOINT)
		return true;
	return event->attr.type == PERF_TYPE_SOFTWARE &&
	       (event->attr.config == PERF_COUNT_SW_CONTEXT_SWITCHES ||
		event->attr.config == PERF_COUNT_SW_CPU_MIGRATIONS ||
		event->attr.config == PERF_COUNT_SW_CGROUP_SWITCHES);
}

/* As perf writes it: letters join those that are there. In libpfm4's names these are not modifiers.
 */
static const char *user_suffix(const char *name)
{
	size_t len = strlen(name);
	bool joins = (len && name[len - 1] == '/') ||
		     (!strstr(name, "::") && event_modifiers_possible(event_modifiers_of(name)));

	return joins ? "u" : ":u";
}

static int fall_back(struct event *event, bool system_wide, int error)
{
	struct event narrow = *event;
	char *name;

	if (event_modifiers_ask_level(event->asked ? event->asked : "") ||
	    event->attr.exclude_user || event->attr.exclude_kernel || never_in_user_mode(event))
		return error;
	narrow.attr.exclude_kernel = 1;
	narrow.attr.exclude_hv = 1;
	error = try_event(&narrow, system_wide);
	if (error)
		return error;
	if (asprintf(&name, "%s%s", event->name, user_suffix(event->name)) < 0)
		return ENOMEM;
	free(event->name);
	event->name = name;
	event->attr = narrow.attr;
	event->user_only_fallback = true;
	return 0;
}

static bool of_cpu(const struct event *event)
{
	return !event->software && !event->system_wide_only;
}

static enum event_reason reason_for(const struct event *event, int error, size_t n_core)
{
	switch (error) {
	case 0:
		return EVENT_OK;
	case EACCES:
	case EPERM:
		return EVENT_NOT_PERMITTED;
	case ENOENT:
	case ENODEV:
	case ENXIO:
	case EOPNOTSUPP:
	case EINVAL:
		return of_cpu(event) && n_core == 0 ? EVENT_NO_PMU : EVENT_NOT_SUPPORTED;
	default:
		return EVENT_FAILED;
	}
}

static void probe(struct event *event, bool system_wide, size_t n_core)
{
	int error;

	/* Known from its name not to be of this machine, or not asked of a counter at all. */
	if (event->tool != TOOL_NONE || event->reason != EVENT_OK)
		return;
	if (event->system_wide_only && !system_wide) {
		event->reason = EVENT_SYSTEM_WIDE_ONLY;
		event->error = EINVAL;
		return;
	}
	error = try_event(event, system_wide);
	if (refused(error))
		error = fall_back(event, system_wide, error);
	event->error = error;
	event->reason = reason_for(event, error, n_core);
}

void event_list_probe(struct event_list *list, bool system_wide, const struct event_roots *roots)
{
	struct pmu_list pmus;
	/* Out of memory: no PMU is seen, which the opening trials then overrule. */
	size_t n_core = pmu_list_read(&pmus, roots->sysfs) == 0 ? pmus.n_core : 0;

	for (size_t i = 0; i < list->n; i++)
		probe(&list->events[i], system_wide, n_core);
	pmu_list_release(&pmus);
}
