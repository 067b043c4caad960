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

#include "counter-set.h"
#include "event.h"

struct set_error {
	char *text;
	size_t size;
};

size_t counter_slots(const struct counter_config *config)
{
	return config->system_wide && config->per_cpu ? config->n * config->n_cpus : config->n;
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

int counter_set_open(struct counter_set **set, const struct counter_config *config,
		     int *slot_errors, char *err, size_t err_size)
{
	size_t n = config->n * (config->system_wide ? config->n_cpus : 1);
	struct counter_set *s = calloc(1, sizeof(*s));
	int e;

	*set = NULL;
	if (s) {
		s->system_wide = config->system_wide;
		s->pinned = config->pinned;
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
	e = counter_set_fill(s, config, slot_errors);
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

/* The enabled time of a software event since the read before, or 0 if there is none. */
static uint64_t reference_enabled(const struct counter_set *set)
{
	for (size_t i = 0; i < set->n && !set->system_wide; i++)
		if (set->counters[i].steady)
			return set->counters[i].since;
	return 0;
}

/*
 * Kernels before 6.16 forget the time that an inherited event waited for a counter until its task
 * ended, and an event that loses its counter for good is not enabled any more: such events look as
 * if they had counted all the time. Software events never wait, so that their time tells. The two
 * differ by some microseconds where hardware and software events have contexts of their own
 * (before 6.2), hence the tolerance; it is wide for pinned events, which do not take turns.
 */
static void recall_enabled(const struct counter_set *set)
{
	uint64_t reference = reference_enabled(set);
	uint64_t tolerance = set->pinned ? reference / 4 + 100000 : reference / 50 + 20000;

	for (size_t i = 0; i < set->n; i++) {
		struct counter *c = &set->counters[i];

		if (!c->steady && reference > c->since + tolerance)
			c->forgotten += reference - c->since;
	}
}

int counter_set_read(struct counter_set *set, struct counter_value *values)
{
	memset(values, 0, set->slots * sizeof(*values));
	for (size_t i = 0; i < set->n; i++) {
		struct counter *c = &set->counters[i];
		uint64_t before = c->last.enabled;
		int e = counter_read_one(c->fd, &c->last);

		if (e < 0)
			return e;
		c->since = c->last.enabled - before;
	}
	recall_enabled(set);
	for (size_t i = 0; i < set->n; i++) {
		const struct counter *c = &set->counters[i];

		if (c->slot == COUNTER_NO_SLOT)
			continue;
		values[c->slot].value += c->last.value;
		values[c->slot].enabled += c->last.enabled + c->forgotten;
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
