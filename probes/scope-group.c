/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Planning and opening groups of counters and probes.
 */
#include "scope-group.h"

#include <asm/perf_regs.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "counter-open.h"
#include "event.h"
#include "scope-define.h"
#include "scope-pair.h"
#include "scope-set.h"

#if defined(__x86_64__)
#define STACK_POINTER (1ull << PERF_REG_X86_SP)
#elif defined(__aarch64__)
#define STACK_POINTER (1ull << PERF_REG_ARM64_SP)
#endif

/* Of one ring, and of all that is in memory at once. */
#define RING_SIZE ((size_t)1 << 20)
#define LEAST_RING_SIZE (RING_SIZE / 4)
#define RINGS_SIZE (RING_SIZE * 32)

static bool takes_counter(const struct event *event)
{
	return !event->software && event->tool == TOOL_NONE;
}

/* One clock, so that samples of different rings can be put in order. */
static void set_common(struct perf_event_attr *attr)
{
	attr->size = sizeof(*attr);
	attr->read_format =
	    PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	attr->sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			    PERF_SAMPLE_CPU | PERF_SAMPLE_READ;
	attr->sample_id_all = 1;
	attr->use_clockid = 1;
	attr->clockid = CLOCK_MONOTONIC;
}

/*
 * Of the kernel's functions the kernel's stack pointer tells calls apart. The registers at a probe
 * in user space are asked for as those of user space, which takes no privilege.
 */
static void set_sampling(struct perf_event_attr *attr, bool kernel)
{
	attr->sample_period = 1;
	attr->sample_type |= kernel ? PERF_SAMPLE_REGS_INTR : PERF_SAMPLE_REGS_USER;
	*(kernel ? &attr->sample_regs_intr : &attr->sample_regs_user) = STACK_POINTER;
}

static struct group_member *add_member(struct group_plan *plan, enum group_member_kind kind,
				       size_t index, const struct perf_event_attr *attr)
{
	struct group_member *m = &plan->members[plan->n++];

	*m = (struct group_member){.kind = kind, .index = index, .attr = *attr};
	set_common(&m->attr);
	m->attr.pinned = 0;
	m->attr.exclusive = 0;
	m->attr.inherit = plan->inherit;
	return m;
}

static void add_events(struct group_plan *plan, const struct scope_config *config, bool hardware,
		       const int *slot_errors)
{
	for (size_t i = 0; i < config->n_events; i++) {
		const struct event *event = config->events[i];

		if (takes_counter(event) != hardware || slot_errors[i])
			continue;
		plan->cost_members[i] = plan->n;
		add_member(plan, MEMBER_EVENT, i, &event->attr);
	}
}

/* To see them takes the right to count in the kernel; without it, none are counted. */
static void add_switches(struct group_plan *plan, bool user_only)
{
	struct perf_event_attr attr = {.type = PERF_TYPE_SOFTWARE,
				       .config = PERF_COUNT_SW_CONTEXT_SWITCHES};

	attr.exclude_kernel = attr.exclude_hv = user_only;
	plan->switches = plan->n;
	add_member(plan, MEMBER_SWITCHES, 0, &attr)->attr.sample_period = 1;
}

/*
 * The leader is a hardware event where there is one, because it is for its sake that the group may
 * not get to run; else the switches. It owns the ring, and its attributes tell how the ring wakes
 * us, and that the ends of threads are written to it.
 */
static void compose(struct group_plan *plan, const struct scope_config *config,
		    const struct scope_definitions *d, const int *slot_errors)
{
	struct perf_event_attr *leader;

	plan->n = 0;
	for (size_t i = 0; i < config->n_events; i++)
		plan->cost_members[i] = PAIR_NO_MEMBER;
	add_events(plan, config, true, slot_errors);
	if (plan->n)
		plan->members[0].attr.pinned = 1;
	add_switches(plan, d->breakpoints);
	add_events(plan, config, false, slot_errors);
	plan->first_probe = plan->n;
	for (size_t i = 0; i < d->n_probes; i++) {
		const struct scope_probe *probe = &d->probes[i];

		set_sampling(&add_member(plan, MEMBER_PROBE, i, &probe->attr)->attr,
			     d->targets[probe->scope].kind == SCOPE_KERNEL);
	}
	leader = &plan->members[0].attr;
	/* Where the process is stopped at its execution, it has that behind it. */
	leader->disabled = !d->breakpoints;
	leader->enable_on_exec = !d->breakpoints;
	leader->task = 1;
	leader->comm = 1;
	leader->comm_exec = 1;
	leader->watermark = 1;
}

static int open_event(const struct perf_event_attr *attr, pid_t pid, int cpu, int leader)
{
	long fd = syscall(SYS_perf_event_open, attr, pid, cpu, leader, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : (int)fd;
}

/* Opens the members, and says in FAILED which of them could not be. */
static int open_members(struct scope_group *g, const struct group_plan *plan, pid_t pid, int cpu,
			size_t *failed)
{
	*g = (struct scope_group){.cpu = cpu};
	g->fds = calloc(plan->n, sizeof(*g->fds));
	g->ids = calloc(plan->n, sizeof(*g->ids));
	g->buffer = calloc(plan->n + 3, sizeof(*g->buffer));
	*failed = plan->n;
	if (!g->fds || !g->ids || !g->buffer)
		return -ENOMEM;
	for (size_t i = 0; i < plan->n; i++) {
		struct perf_event_attr attr = plan->members[i].attr;

		if (!i)
			attr.wakeup_watermark = (uint32_t)plan->ring_size / 4;
		int fd = open_event(&attr, pid, cpu, i ? g->fds[0] : -1);

		if (fd < 0) {
			*failed = i;
			return fd;
		}
		g->fds[g->n++] = fd;
		if (ioctl(fd, PERF_EVENT_IOC_ID, &g->ids[i]))
			return -errno;
	}
	return 0;
}

/* Before 6.12 an inherited event cannot read its group when it samples. */
static bool can_inherit(void)
{
	struct perf_event_attr attr = {.type = PERF_TYPE_SOFTWARE,
				       .config = PERF_COUNT_SW_DUMMY,
				       .sample_period = 1,
				       .disabled = 1,
				       .inherit = 1,
				       .exclude_kernel = 1,
				       .exclude_hv = 1};
	int fd;

	set_common(&attr);
	fd = open_event(&attr, 0, -1, -1);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

int group_cannot_open(const char *what, int error, char *err, size_t err_size)
{
	if (error == -EMFILE)
		snprintf(err, err_size,
			 "cannot probe %s: too many open files: each CPU takes one for each "
			 "event and two for each scope; see 'ulimit -n'",
			 what);
	else
		snprintf(err, err_size, "cannot probe %s: %s", what, strerror(-error));
	return error;
}

static int cannot_open(const struct group_member *m, const struct scope_definitions *d, int error,
		       char *err, size_t err_size)
{
	char what[300] = "context switches";

	if (m && m->kind == MEMBER_PROBE)
		snprintf(what, sizeof(what), "'%s'", d->targets[d->probes[m->index].scope].name);
	if (error != -EACCES && error != -EPERM)
		return group_cannot_open(what, error, err, err_size);
	snprintf(err, err_size,
		 "this user may not use the kernel's probes, by which scopes are measured; "
		 "run as root, or mark a region in the source, which takes no privileges: "
		 "see abstat-scopes(7)");
	return error;
}

int group_plan_init(struct group_plan *plan, const struct scope_config *config,
		    const struct scope_definitions *definitions, const int *cpus, size_t n_cpus,
		    int *slot_errors, char *err, size_t err_size)
{
	struct scope_group trial;
	size_t failed;
	int rc;

	*plan = (struct group_plan){.ring_size = RING_SIZE};
	plan->members =
	    calloc(config->n_events + definitions->n_probes + 1, sizeof(*plan->members));
	plan->cost_members = calloc(config->n_events + 1, sizeof(*plan->cost_members));
	if (!plan->members || !plan->cost_members) {
		snprintf(err, err_size, "no memory for the probes");
		return -ENOMEM;
	}
	for (size_t i = 0; i < config->n_events; i++)
		slot_errors[i] = 0;
	plan->inherit = definitions->tracefs >= 0 && can_inherit();
	while (n_cpus * plan->ring_size > RINGS_SIZE && plan->ring_size > LEAST_RING_SIZE)
		plan->ring_size /= 2;
	for (;;) {
		const struct group_member *m;

		compose(plan, config, definitions, slot_errors);
		rc = open_members(&trial, plan, 0, plan->inherit ? cpus[0] : -1, &failed);
		scope_group_close(&trial);
		if (!rc)
			return 0;
		m = failed < plan->n ? &plan->members[failed] : NULL;
		if (!m || m->kind != MEMBER_EVENT || rc == -EMFILE || rc == -ENOMEM)
			return cannot_open(m, definitions, rc, err, err_size);
		slot_errors[m->index] = -rc;
	}
}

void group_plan_release(struct group_plan *plan)
{
	free(plan->members);
	free(plan->cost_members);
	*plan = (struct group_plan){0};
}

int scope_group_open(struct scope_group *g, const struct group_plan *plan, pid_t pid, int cpu)
{
	size_t failed, size = plan->ring_size + (size_t)sysconf(_SC_PAGESIZE);
	int rc = open_members(g, plan, pid, cpu, &failed);

	if (!rc) {
		g->ring = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, g->fds[0], 0);
		g->ring_size = size;
		if (g->ring == MAP_FAILED) {
			g->ring = NULL;
			rc = -errno;
		}
	}
	for (size_t i = 1; i < g->n && !rc; i++)
		if (plan->members[i].attr.sample_period &&
		    ioctl(g->fds[i], PERF_EVENT_IOC_SET_OUTPUT, g->fds[0]))
			rc = -errno;
	if (rc)
		scope_group_close(g);
	return rc;
}

void scope_group_close(struct scope_group *g)
{
	if (g->ring)
		munmap(g->ring, g->ring_size);
	/* The leader last: its siblings would become leaders, and be scheduled, without it. */
	for (size_t i = g->n; i-- > 0;)
		close(g->fds[i]);
	free(g->fds);
	free(g->ids);
	free(g->buffer);
	*g = (struct scope_group){0};
}

int scope_group_read(const struct scope_group *g, uint64_t *enabled, uint64_t *running,
		     uint64_t *values)
{
	size_t size = (3 + g->n) * sizeof(uint64_t);
	const uint64_t *buffer = g->buffer;
	ssize_t n;

	do
		n = read(g->fds[0], g->buffer, size);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	if (n == 0) {
		*enabled = *running = 0;
		memset(values, 0, g->n * sizeof(*values));
		return 0;
	}
	if (n != (ssize_t)size || buffer[0] != g->n)
		return -EIO;
	*enabled = buffer[1];
	*running = buffer[2];
	memcpy(values, buffer + 3, g->n * sizeof(*values));
	return 0;
}

int scope_count_open(const struct perf_event_attr *attr, pid_t pid, bool inherit, bool at_exec)
{
	struct perf_event_attr a = *attr;

	a.disabled = at_exec;
	a.enable_on_exec = at_exec;
	a.inherit = inherit;
	return counter_open(&a, pid, -1, -1);
}
