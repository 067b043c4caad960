/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A set of scopes: what it consists of, and the result of a run from what was counted and paired.
 */
#include "scope-set.h"

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "counter-open.h"
#include "scope-define.h"
#include "scope-drain.h"
#include "scope-group.h"
#include "scope-pair.h"
#include "scope-tally.h"

/* uretprobes that the kernel keeps of a thread at once. */
#define RETURN_DEPTH 64
/* More sites than this are left to one probe of the return. */
#define MAX_SITES 64
/* Times of two events are taken one after the other. */
#define TIME_SLACK_NS 100000u
#define TIME_SLACK_SHARE 1000u

#if defined(__x86_64__)
/* The return address is on the stack at the entry, and no more after the return. */
#define RETURN_DELTA sizeof(uint64_t)
#else
#define RETURN_DELTA 0
#endif

/* Everything that is counted, in sum; a run is the difference of two. */
struct scope_reading {
	uint64_t *values;   /* the group's members */
	uint64_t *calls;    /* [scope] */
	uint64_t *first;    /* [scope]: of the first thread */
	uint64_t *missed;   /* [scope] */
	uint64_t running;   /* of the group */
	uint64_t reference; /* that the run's threads ran, ns */
	uint64_t own;       /* that its first thread ran */
	uint64_t time;
};

struct scope_set {
	const struct scope_config *config;
	struct scope_definitions definitions;
	struct group_plan plan;
	struct pair_scope *scopes;
	struct pair_probe *probes;
	struct pair_layout layout;
	struct pair_sink sink;
	struct pairing *pairing;
	struct tally *tally;
	struct drain *drain;
	int *cpus;
	size_t n_cpus;
	struct scope_group *groups; /* one a CPU, or one */
	size_t n_groups;
	int reference; /* descriptors of software events that only tell how long... */
	int own;       /* ...all threads ran, and the first one; the latter is not inherited */
	int *calls;    /* [scope] */
	int *first;    /* [scope]: without inheritance; -1 where all can be followed */
	uint64_t *scratch;
	struct scope_reading before, after;
};

size_t scope_costs(const struct scope_config *config)
{
	return config->n_events + 1;
}

enum scope_ending scope_ending_of(const struct scope_target *t)
{
	if (t->kind == SCOPE_KERNEL)
		return SCOPE_ENDING_RETURN;
	if (!t->at_return)
		return SCOPE_ENDING_SITES;
	return t->n_ends && t->n_ends <= MAX_SITES && !t->tail_call ? SCOPE_ENDING_SITES
								      : SCOPE_ENDING_RETURN;
}

size_t scope_constant_row(const struct scope_target *t)
{
	return (size_t)t->begin.first * SCOPE_ENDINGS + scope_ending_of(t);
}

size_t scope_result_size(const struct scope_config *config)
{
	size_t n = config->n_targets, costs = scope_costs(config);

	return n * sizeof(struct scope_calls) + n * costs * sizeof(struct scope_cost) +
	       3 * costs * sizeof(double) + (costs * sizeof(bool) + 7) / 8 * 8;
}

void scope_result_place(struct scope_result *result, const struct scope_config *config,
			void *memory)
{
	size_t n = config->n_targets, costs = scope_costs(config);

	memset(memory, 0, scope_result_size(config));
	*result = (struct scope_result){.costs = memory};
	result->calls = (void *)(result->costs + n * costs);
	result->whole = (void *)(result->calls + n);
	result->outermost = result->whole + costs;
	result->overhead = result->outermost + costs;
	result->counted = (void *)(result->overhead + costs);
}

static int fail(int error, const char *what, char *err, size_t err_size)
{
	snprintf(err, err_size, "%s: %s", what, strerror(-error));
	return error;
}

static void describe_scope(struct pair_scope *s, const struct scope_target *t)
{
	bool at_return = scope_ending_of(t) == SCOPE_ENDING_RETURN;

	*s = (struct pair_scope){
	    .match = PAIR_BY_STACK,
	    .end_delta = at_return ? RETURN_DELTA : 0,
	    .kernel = t->kind == SCOPE_KERNEL,
	    .row = (unsigned)scope_constant_row(t),
	    .depth = at_return && t->kind != SCOPE_KERNEL ? RETURN_DEPTH : 0,
	};
	if (t->kind == SCOPE_RANGE)
		s->match = PAIR_NEAREST;
	else if (t->kind == SCOPE_MARKERS)
		s->match = PAIR_LAST;
}

static int make_layout(struct scope_set *set)
{
	const struct scope_config *c = set->config;
	const struct scope_definitions *d = &set->definitions;

	set->scopes = calloc(c->n_targets, sizeof(*set->scopes));
	set->probes = calloc(d->n_probes, sizeof(*set->probes));
	if (!set->scopes || !set->probes)
		return -ENOMEM;
	for (size_t i = 0; i < c->n_targets; i++)
		describe_scope(&set->scopes[i], &c->targets[i]);
	for (size_t i = 0; i < d->n_probes; i++)
		set->probes[i] = (struct pair_probe){d->probes[i].scope, d->probes[i].end};
	set->layout = (struct pair_layout){
	    .scopes = set->scopes,
	    .n_scopes = c->n_targets,
	    .probes = set->probes,
	    .n_probes = d->n_probes,
	    .n_members = set->plan.n,
	    .first_probe = set->plan.first_probe,
	    .switches = set->plan.switches,
	    .cost_members = set->plan.cost_members,
	    .n_cost_members = c->n_events,
	    .n_rows = SCOPE_CONSTANT_ROWS,
	};
	set->tally = tally_new(&set->layout, c);
	if (!set->tally)
		return -ENOMEM;
	set->sink = tally_sink(set->tally);
	set->pairing = pairing_new(&set->layout, &set->sink);
	return set->pairing ? 0 : -ENOMEM;
}

static int reading_init(struct scope_reading *r, size_t members, size_t scopes)
{
	r->values = calloc(members + 3 * scopes, sizeof(*r->values));
	if (!r->values)
		return -ENOMEM;
	r->calls = r->values + members;
	r->first = r->calls + scopes;
	r->missed = r->first + scopes;
	return 0;
}

static int make_room(struct scope_set *set)
{
	size_t n = set->config->n_targets;
	int rc = reading_init(&set->before, set->plan.n, n);

	rc = rc ? rc : reading_init(&set->after, set->plan.n, n);
	set->scratch = calloc(set->plan.n, sizeof(*set->scratch));
	return set->scratch ? rc : -ENOMEM;
}

/* Those of this process. */
static int find_own_cpus(struct scope_set *set)
{
	long n = sysconf(_SC_NPROCESSORS_CONF);

	for (int max = n > 1024 ? (int)n : 1024; max <= 1 << 20; max *= 2) {
		size_t size = CPU_ALLOC_SIZE((size_t)max);
		cpu_set_t *cpus = CPU_ALLOC((size_t)max);
		int rc = !cpus ? -ENOMEM : sched_getaffinity(0, size, cpus) ? -errno : 0;

		set->cpus = rc ? NULL : calloc((size_t)max, sizeof(*set->cpus));
		if (!rc && !set->cpus)
			rc = -ENOMEM;
		for (int cpu = 0; cpu < max && !rc; cpu++)
			if (CPU_ISSET_S((size_t)cpu, size, cpus))
				set->cpus[set->n_cpus++] = cpu;
		CPU_FREE(cpus);
		/* The kernel has more CPUs than the mask. */
		if (rc != -EINVAL)
			return rc;
	}
	return -EINVAL;
}

static int find_cpus(struct scope_set *set)
{
	const struct scope_config *c = set->config;

	if (!c->cpus)
		return find_own_cpus(set);
	set->cpus = calloc(c->n_cpus, sizeof(*set->cpus));
	if (!set->cpus)
		return -ENOMEM;
	memcpy(set->cpus, c->cpus, c->n_cpus * sizeof(*set->cpus));
	set->n_cpus = c->n_cpus;
	return 0;
}

/*
 * Events that are not in the group: how long the run's threads run, with inheritance and without,
 * and how often each scope begins, which no lack of counters or of room in a ring can hide. The one
 * without inheritance is also what keeps the kernel from taking the contexts of this process and of
 * its children for clones of each other.
 */
static int open_beside(struct scope_set *set, pid_t pid)
{
	struct perf_event_attr dummy = {
	    .type = PERF_TYPE_SOFTWARE,
	    .config = PERF_COUNT_SW_DUMMY,
	    .exclude_kernel = 1,
	    .exclude_hv = 1,
	};
	const struct scope_definitions *d = &set->definitions;

	set->own = scope_count_open(&dummy, pid, false);
	if (set->own < 0)
		return set->own;
	set->reference = scope_count_open(&dummy, pid, true);
	if (set->reference < 0)
		return set->reference;
	for (size_t i = 0; i < d->n_probes; i++) {
		const struct scope_probe *probe = &d->probes[i];

		if (probe->end)
			continue;
		set->calls[probe->scope] = scope_count_open(&probe->attr, pid, d->inheritable);
		if (set->calls[probe->scope] < 0)
			return set->calls[probe->scope];
		if (set->plan.inherit)
			continue;
		set->first[probe->scope] = scope_count_open(&probe->attr, pid, false);
		if (set->first[probe->scope] < 0)
			return set->first[probe->scope];
	}
	return 0;
}

/* One without its counters, or without power: what runs there is not counted. */
static bool is_absent(int error)
{
	return error == -ENODEV || error == -ENOENT || error == -ENXIO;
}

static int open_groups(struct scope_set *set, pid_t pid)
{
	size_t n = set->plan.inherit ? set->n_cpus : 1;
	int rc = 0;

	set->groups = calloc(n, sizeof(*set->groups));
	if (!set->groups)
		return -ENOMEM;
	for (size_t i = 0; i < n && !rc; i++) {
		rc = scope_group_open(&set->groups[set->n_groups], &set->plan, pid,
				      set->plan.inherit ? set->cpus[i] : -1);
		if (!rc)
			set->n_groups++;
		else if (is_absent(rc) && set->n_groups)
			rc = 0;
	}
	return rc;
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void close_all(struct scope_set *set)
{
	if (set->drain)
		drain_detach(set->drain);
	for (size_t i = 0; i < set->n_groups; i++)
		scope_group_close(&set->groups[i]);
	free(set->groups);
	set->groups = NULL;
	set->n_groups = 0;
	close_fd(&set->own);
	close_fd(&set->reference);
	for (size_t i = 0; i < set->config->n_targets; i++) {
		if (set->calls)
			close_fd(&set->calls[i]);
		if (set->first)
			close_fd(&set->first[i]);
	}
}

static int open_all(struct scope_set *set, pid_t pid, char *err, size_t err_size)
{
	int rc = open_beside(set, pid);

	rc = rc ? rc : open_groups(set, pid);
	rc = rc ? rc
		: drain_attach(set->drain, set->groups, set->n_groups, &set->plan, set->pairing);
	if (!rc)
		return 0;
	close_all(set);
	if (rc == -EMFILE) {
		snprintf(err, err_size,
			 "cannot open the probes: too many open files: each CPU takes one for each "
			 "event, and two for each scope; see 'ulimit -n'");
		return rc;
	}
	return fail(rc, "cannot open the probes", err, err_size);
}

static int set_init(struct scope_set *set, const struct scope_config *config)
{
	size_t n = config->n_targets;

	*set = (struct scope_set){
	    .config = config, .definitions = {.tracefs = -1}, .reference = -1, .own = -1};
	set->calls = calloc(n, sizeof(*set->calls));
	set->first = calloc(n, sizeof(*set->first));
	if (!set->calls || !set->first)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		set->calls[i] = set->first[i] = -1;
	return drain_new(&set->drain);
}

int scope_set_open(struct scope_set **out, const struct scope_config *config, int *slot_errors,
		   char *err, size_t err_size)
{
	struct scope_set *set = malloc(sizeof(*set));
	int rc = set ? set_init(set, config) : -ENOMEM;

	*out = NULL;
	rc = rc ? rc : find_cpus(set);
	if (rc)
		fail(rc, "cannot prepare the probes", err, err_size);
	if (!rc)
		rc = scope_define(&set->definitions, config->targets, config->n_targets, err,
				  err_size);
	if (!rc)
		rc = group_plan_init(&set->plan, config, &set->definitions, set->cpus[0],
				     slot_errors, err, err_size);
	if (!rc) {
		rc = make_layout(set);
		rc = rc ? rc : make_room(set);
		if (rc)
			fail(rc, "cannot prepare the probes", err, err_size);
	}
	if (!rc && set->plan.inherit)
		rc = open_all(set, 0, err, err_size);
	if (rc) {
		scope_set_free(set);
		return rc;
	}
	*out = set;
	return 0;
}

bool scope_set_needs_pid(const struct scope_set *set)
{
	return !set->plan.inherit;
}

struct drain *scope_set_drain(const struct scope_set *set)
{
	return set->drain;
}

static int read_running(int fd, uint64_t *ns)
{
	struct counter_reading reading = {0};
	int rc = counter_read_one(fd, &reading);

	*ns = reading.running;
	return rc < 0 ? rc : 0;
}

static int read_count(int fd, uint64_t *n)
{
	struct counter_reading reading = {0};
	int rc = fd < 0 ? 0 : counter_read_one(fd, &reading);

	*n = reading.value;
	return rc < 0 ? rc : 0;
}

static int read_all(struct scope_set *set, struct scope_reading *r)
{
	struct timespec ts;
	int rc = read_running(set->reference, &r->reference);

	rc = rc ? rc : read_running(set->own, &r->own);
	memset(r->values, 0, set->plan.n * sizeof(*r->values));
	r->running = 0;
	for (size_t g = 0; g < set->n_groups && !rc; g++) {
		uint64_t enabled, running;

		rc = scope_group_read(&set->groups[g], &enabled, &running, set->scratch);
		for (size_t i = 0; i < set->plan.n && !rc; i++)
			r->values[i] += set->scratch[i];
		r->running += rc ? 0 : running;
	}
	for (size_t i = 0; i < set->config->n_targets && !rc; i++) {
		rc = read_count(set->calls[i], &r->calls[i]);
		rc = rc ? rc : read_count(set->first[i], &r->first[i]);
		r->missed[i] = scope_missed(&set->definitions, (unsigned)i);
	}
	clock_gettime(CLOCK_MONOTONIC, &ts);
	r->time = (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
	return rc;
}

int scope_set_begin(struct scope_set *set, pid_t pid, char *err, size_t err_size)
{
	int rc = set->plan.inherit ? 0 : open_all(set, pid, err, err_size);

	if (rc)
		return rc;
	drain_rest(set->drain);
	drain_take_counts(set->drain);
	drain_hold(set->drain);
	pairing_reset(set->pairing);
	tally_reset(set->tally);
	drain_resume(set->drain);
	rc = read_all(set, &set->before);
	return rc ? fail(rc, "cannot read the counters", err, err_size) : 0;
}

static uint64_t minus(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t most(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Whether the time A is B's, or not noticeably less. */
static bool as_long_as(uint64_t a, uint64_t b)
{
	return a + TIME_SLACK_NS + b / TIME_SLACK_SHARE >= b;
}

/* Hits in the group of the probes at scope's begins or ends; at least SEEN of them. */
static uint64_t group_hits(const struct scope_set *set, size_t scope, bool end, uint64_t seen)
{
	uint64_t hits = 0;

	for (size_t i = 0; i < set->layout.n_probes; i++) {
		size_t m = set->layout.first_probe + i;

		if (set->probes[i].scope == scope && set->probes[i].end == end)
			hits += minus(set->after.values[m], set->before.values[m]);
	}
	return most(hits, seen);
}

/*
 * Every call is accounted for. Of those that were in the group and have no cost, the begins that
 * outnumber the ends did not return; the others were lost. Where nothing was lost, pairing knows.
 */
static void account(const struct scope_set *set, size_t scope, bool counted, uint64_t unpaired,
		    struct scope_calls *c)
{
	const struct pair_count *p = &pairing_counts(set->pairing)[scope];
	uint64_t begins = group_hits(set, scope, false, p->begins);
	uint64_t ends = group_hits(set, scope, true, p->ends);
	uint64_t rest = minus(begins, p->paired);

	c->calls = most(set->after.calls[scope] - set->before.calls[scope], begins);
	c->measured = p->paired;
	c->interrupted = p->interrupted;
	if (!set->plan.inherit)
		c->unfollowed =
		    minus(c->calls, most(set->after.first[scope] - set->before.first[scope], begins));
	c->not_counted = minus(c->calls, c->unfollowed + begins);
	if (begins == p->begins && ends == p->ends && !unpaired)
		c->lost = least(p->voided, rest);
	else
		c->lost = rest - least(minus(begins, ends), rest);
	rest -= c->lost;
	if (!counted) {
		uint64_t open = least(p->open, rest);

		c->not_counted += open;
		rest -= open;
	}
	c->missed = least(p->missed + minus(set->after.missed[scope], set->before.missed[scope]), rest);
	c->unreturned = rest - c->missed;
}

/* What probing added to the run: all calls, measured or not. */
static double all_overhead(const struct scope_set *set, const struct scope_result *result,
			   size_t cost)
{
	const struct scope_config *c = set->config;
	double sum = 0;

	for (size_t i = 0; c->constants && i < c->n_targets; i++) {
		uint64_t probed = minus(result->calls[i].calls, result->calls[i].not_counted +
								    result->calls[i].unfollowed);

		sum += (double)probed *
		       c->constants[set->scopes[i].row * scope_costs(c) + cost].around;
	}
	return sum;
}

static void take_whole(const struct scope_set *set, bool counted, struct scope_result *result)
{
	size_t costs = scope_costs(set->config);

	for (size_t i = 0; i < costs; i++) {
		size_t m = i + 1 < costs ? set->plan.cost_members[i] : PAIR_NO_MEMBER;

		result->overhead[i] = all_overhead(set, result, i);
		result->counted[i] = m != PAIR_NO_MEMBER && counted;
		result->whole[i] =
		    result->counted[i] ? (double)(set->after.values[m] - set->before.values[m])
				       : NAN;
	}
	result->counted[costs - 1] = true;
	result->whole[costs - 1] = (double)(set->after.time - set->before.time);
}

int scope_set_end(struct scope_set *set, struct scope_result *result, char *err, size_t err_size)
{
	struct drain_count drained;
	bool counted;
	uint64_t ran;
	int rc;

	drain_rest(set->drain);
	rc = read_all(set, &set->after);
	if (rc)
		return fail(rc, "cannot read the counters", err, err_size);
	drained = drain_take_counts(set->drain);
	drain_hold(set->drain);
	pairing_finish(set->pairing);
	drain_resume(set->drain);
	ran = set->after.reference - set->before.reference;
	result->followed = set->plan.inherit || as_long_as(set->after.own - set->before.own, ran);
	if (!set->plan.inherit)
		ran = set->after.own - set->before.own;
	counted = as_long_as(set->after.running - set->before.running, ran);
	result->throttled = drained.throttled;
	for (size_t i = 0; i < set->config->n_targets; i++)
		account(set, i, counted, drained.unpaired, &result->calls[i]);
	tally_result(set->tally, result);
	take_whole(set, counted && result->followed, result);
	if (!set->plan.inherit)
		close_all(set);
	return 0;
}

void scope_set_free(struct scope_set *set)
{
	if (!set)
		return;
	close_all(set);
	drain_free(set->drain);
	free(set->cpus);
	pairing_free(set->pairing);
	tally_free(set->tally);
	group_plan_release(&set->plan);
	scope_undefine(&set->definitions);
	free(set->scopes);
	free(set->probes);
	free(set->calls);
	free(set->first);
	free(set->scratch);
	free(set->before.values);
	free(set->after.values);
	free(set);
}
