/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The set of counters that is opened once and read around every run.
 *
 * One descriptor an event (system-wide: an event and CPU), each read by itself: group reads would
 * save a few hundred nanoseconds a run, and are refused by the kernel while a member of the group
 * is exiting.
 */
#include "counter.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "counter-open.h"
#include "event.h"

struct counter {
	int fd;
	bool leader;
	size_t slot;
	struct counter_reading
	    last; /* what a pinned event had counted before it lost its counter */
};

/* Not inherited, never enabled; see open_companions(). */
struct companion {
	int fd;
	const char *pmu;
};

struct counter_set {
	struct counter *counters;
	size_t n;
	size_t slots;
	struct companion *companions;
	size_t n_companions;
	bool system_wide;
};

struct set_error {
	char *text;
	size_t size;
};

static bool takes_counter(const struct event *event)
{
	return !event->software && event->tool == TOOL_NONE;
}

size_t counter_slots(const struct counter_config *config)
{
	return config->system_wide && config->per_cpu ? config->n * config->n_cpus : config->n;
}

/* Errors after which no further event can be opened either. */
static bool fatal_error(int error)
{
	return error == EMFILE || error == ENFILE || error == ENOMEM || error == ENOSYS;
}

static int set_failed(const struct counter_config *config, int error, const struct set_error *err)
{
	size_t wanted = config->n * (config->system_wide ? config->n_cpus : 1);
	struct rlimit limit = {0};

	if (error == EMFILE) {
		getrlimit(RLIMIT_NOFILE, &limit);
		snprintf(err->text, err->size,
			 "cannot open %zu counters: a process may have %llu open files; "
			 "count fewer events or raise the limit with 'ulimit -n %zu'",
			 wanted, (unsigned long long)limit.rlim_cur, wanted + 256);
	} else if (error == ENFILE) {
		snprintf(err->text, err->size,
			 "cannot open %zu counters: the system's table of open files is full "
			 "(see fs.file-max in sysctl(8))",
			 wanted);
	} else if (error == ENOSYS) {
		snprintf(err->text, err->size,
			 "cannot open counters: this kernel has no perf_event_open(2) "
			 "(it is built without CONFIG_PERF_EVENTS, or a seccomp filter hides it)");
	} else {
		snprintf(err->text, err->size, "cannot open counters: %s", strerror(error));
	}
	return -error;
}

static int add_companion(struct counter_set *set, const struct perf_event_attr *attr,
			 const char *pmu)
{
	int fd = counter_open(attr, 0, -1, -1);

	if (fd < 0)
		return fd;
	set->companions[set->n_companions++] = (struct companion){.fd = fd, .pmu = pmu};
	return 0;
}

static bool has_companion(const struct counter_set *set, const char *pmu)
{
	for (size_t i = 0; i < set->n_companions; i++)
		if (!strcmp(set->companions[i].pmu, pmu))
			return true;
	return false;
}

/*
 * The companions: an event that is not inherited in every task context that holds inherited ones.
 * Without them the kernel takes the contexts of parent and child for clones of each other and swaps
 * them at a context switch, so that exec enables the parent's events: later runs would count
 * nothing. Before 6.2 hardware and software events have contexts of their own, hence one for each.
 * They exclude the kernel, because an ordinary user may not open them otherwise.
 */
static int open_companions(struct counter_set *set, const struct counter_config *config)
{
	struct perf_event_attr dummy = {
	    .type = PERF_TYPE_SOFTWARE,
	    .config = PERF_COUNT_SW_DUMMY,
	    .exclude_kernel = 1,
	    .exclude_hv = 1,
	};
	int e = config->n ? add_companion(set, &dummy, "software") : 0;

	for (size_t i = 0; i < config->n && e == 0; i++) {
		const struct event *event = config->events[i];
		struct perf_event_attr attr = event->attr;

		if (!takes_counter(event) || has_companion(set, event->pmu))
			continue;
		attr.disabled = 1;
		attr.exclude_user = 0;
		attr.exclude_kernel = 1;
		attr.exclude_hv = 1;
		attr.precise_ip = 0;
		attr.exclusive = 0;
		e = add_companion(set, &attr, event->pmu);
		/* Where the event itself cannot be opened, that is its slot's error. */
		if (!fatal_error(-e))
			e = 0;
	}
	return e;
}

static bool counts_on(const struct event *event, int cpu)
{
	if (!event->cpus)
		return true;
	for (size_t i = 0; i < event->n_cpus; i++)
		if (event->cpus[i] == cpu)
			return true;
	return false;
}

static bool group_takes_counter(const struct counter_config *config, size_t first)
{
	for (size_t i = first; i < config->n; i++) {
		if (i > first && (config->events[i]->group < 0 ||
				  config->events[i]->group != config->events[first]->group))
			break;
		if (takes_counter(config->events[i]))
			return true;
	}
	return false;
}

/*
 * Opens event INDEX on CPU (-1: on the children). *LEADER is the descriptor of its group's leader,
 * or -1: then the event becomes the leader. Siblings follow the leader, which alone is enabled.
 */
static int open_one(struct counter_set *set, const struct counter_config *config, size_t index,
		    size_t slot, int cpu, int *leader)
{
	const struct event *event = config->events[index];
	struct perf_event_attr attr = event->attr;
	int fd;

	attr.pinned = 0;
	if (*leader < 0) {
		attr.pinned =
		    (config->pinned || event->pinned) && group_takes_counter(config, index);
		attr.disabled = 1;
		attr.enable_on_exec = !config->system_wide;
	} else {
		attr.exclusive = 0;
	}
	attr.inherit = !config->system_wide;
	fd = counter_open(&attr, config->system_wide ? -1 : 0, cpu, *leader);
	if (fd < 0)
		return fd;
	set->counters[set->n++] = (struct counter){.fd = fd, .slot = slot, .leader = *leader < 0};
	if (*leader < 0 && event->group >= 0)
		*leader = fd;
	return 0;
}

/*
 * A slot is never a part of a sum: if one CPU's event is missing, the others of the slot are closed
 * too. Siblings that lose their leader so are leaders from then on, as they are for the kernel.
 */
static void close_slot(struct counter_set *set, size_t slot)
{
	size_t kept = 0;
	bool orphan = false;

	for (size_t i = 0; i < set->n; i++) {
		struct counter c = set->counters[i];

		orphan = orphan && !c.leader;
		if (c.slot == slot) {
			close(c.fd);
			orphan = orphan || c.leader;
			continue;
		}
		c.leader = c.leader || orphan;
		set->counters[kept++] = c;
	}
	set->n = kept;
}

static int open_on(struct counter_set *set, const struct counter_config *config, size_t cpu_index,
		   int *slot_errors)
{
	int cpu = config->system_wide ? config->cpus[cpu_index] : -1;
	int leader = -1;

	for (size_t i = 0; i < config->n; i++) {
		const struct event *event = config->events[i];
		bool own_slot = config->system_wide && config->per_cpu;
		size_t slot = own_slot ? i * config->n_cpus + cpu_index : i;
		int e;

		if (i == 0 || event->group < 0 || event->group != config->events[i - 1]->group)
			leader = -1;
		if (config->system_wide && !counts_on(event, cpu)) {
			if (own_slot)
				slot_errors[slot] = ENODEV;
			continue;
		}
		if (slot_errors[slot])
			continue;
		e = open_one(set, config, i, slot, cpu, &leader);
		if (e < 0 && fatal_error(-e))
			return e;
		slot_errors[slot] = -e;
	}
	return 0;
}

static bool slot_has_counter(const struct counter_set *set, size_t slot)
{
	for (size_t i = 0; i < set->n; i++)
		if (set->counters[i].slot == slot)
			return true;
	return false;
}

static int open_all(struct counter_set *set, const struct counter_config *config, int *slot_errors)
{
	size_t passes = config->system_wide ? config->n_cpus : 1;
	int e = config->system_wide ? 0 : open_companions(set, config);

	if (e < 0 && !fatal_error(-e)) {
		/* Without its companion no event would count rightly. */
		for (size_t i = 0; i < set->slots; i++)
			slot_errors[i] = -e;
		return 0;
	}
	for (size_t i = 0; i < passes && e == 0; i++)
		e = open_on(set, config, i, slot_errors);
	if (e < 0)
		return e;
	for (size_t i = 0; i < set->slots; i++) {
		if (slot_errors[i])
			close_slot(set, i);
		else if (!slot_has_counter(set, i))
			slot_errors[i] = ENODEV;
	}
	return 0;
}

int counter_set_open(struct counter_set **set, const struct counter_config *config,
		     int *slot_errors, char *err, size_t err_size)
{
	size_t n = config->n * (config->system_wide ? config->n_cpus : 1);
	struct counter_set *s = calloc(1, sizeof(*s));
	int e;

	*set = NULL;
	if (s) {
		s->system_wide = config->system_wide;
		s->slots = counter_slots(config);
		s->counters = calloc(n + 1, sizeof(*s->counters));
		s->companions = calloc(config->n + 1, sizeof(*s->companions));
	}
	if (!s || !s->counters || !s->companions) {
		counter_set_free(s);
		snprintf(err, err_size, "cannot open counters: out of memory");
		return -ENOMEM;
	}
	memset(slot_errors, 0, s->slots * sizeof(*slot_errors));
	e = open_all(s, config, slot_errors);
	if (e < 0) {
		counter_set_free(s);
		return set_failed(config, -e, &(struct set_error){err, err_size});
	}
	*set = s;
	return 0;
}

static int control(struct counter_set *set, unsigned long request)
{
	int result = 0;

	if (!set->system_wide)
		return 0;
	/* Siblings were opened enabled: they start and stop with their leader. */
	for (size_t i = 0; i < set->n; i++)
		if (set->counters[i].leader && ioctl(set->counters[i].fd, request, 0) < 0 &&
		    !result)
			result = -errno;
	return result;
}

int counter_set_enable(struct counter_set *set)
{
	return control(set, PERF_EVENT_IOC_ENABLE);
}

int counter_set_disable(struct counter_set *set)
{
	return control(set, PERF_EVENT_IOC_DISABLE);
}

int counter_set_read(struct counter_set *set, struct counter_value *values)
{
	memset(values, 0, set->slots * sizeof(*values));
	for (size_t i = 0; i < set->n; i++) {
		struct counter *c = &set->counters[i];
		int e = counter_read_one(c->fd, &c->last);

		if (e < 0)
			return e;
		/* A pinned event that lost its counter repeats its last totals: the difference is
		 * 0. */
		values[c->slot].value += c->last.value;
		values[c->slot].enabled += c->last.enabled;
		values[c->slot].running += c->last.running;
	}
	return 0;
}

void counter_set_free(struct counter_set *set)
{
	if (!set)
		return;
	for (size_t i = 0; i < set->n; i++)
		close(set->counters[i].fd);
	for (size_t i = 0; i < set->n_companions; i++)
		close(set->companions[i].fd);
	free(set->counters);
	free(set->companions);
	free(set);
}
