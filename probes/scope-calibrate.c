/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Probes the stubs, runs them, and takes the probes' part out of what is read. */
#include "scope-calibrate.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "error-text.h"
#include "scope-stop.h"
#include "scope-stubs.h"

/* The median call of each run is taken, and the runs' mean: the first call of all is another one.
 */
enum { RUNS = 5, ROUNDS = 200, MOST_SCOPES = 68 };

/* One set of stubs, and what its runs read. */
struct trial {
	bool (*interrupted)(void);
	enum scope_class first;
	enum scope_ending ending;
	size_t n_costs;
	struct scope_target targets[MOST_SCOPES];
	size_t n;
	enum scope_stub stubs[SCOPE_STUBS]; /* what the first targets are */
	size_t n_stubs;
	double *read; /* [run × SCOPE_STUBS + stub][cost], of the whole calibration */
};

static double *reading(const struct trial *t, size_t run, enum scope_stub stub)
{
	return t->read + (run * SCOPE_STUBS + stub) * t->n_costs;
}

static int add_stub(struct trial *t, enum scope_stub stub)
{
	int r = scope_stub_target(&t->targets[t->n], t->first, stub, t->ending);

	t->stubs[t->n_stubs] = stub;
	t->n_stubs += !r;
	t->n += !r;
	return r;
}

/* Each probe of a set is read with the others: there are as many as there will be. */
static int fill_up(struct trial *t, size_t at_once)
{
	int r = 0;

	for (unsigned i = 0; !r && t->n < at_once && t->n < MOST_SCOPES; i++) {
		r = scope_stub_idle(&t->targets[t->n], i);
		t->n += !r;
	}
	return r == -ENOENT ? 0 : r;
}

static void release_targets(struct trial *t)
{
	for (size_t i = 0; i < t->n; i++)
		scope_target_release(&t->targets[i]);
	t->n = t->n_stubs = 0;
}

/* In the child: waits until the probes are there, then becomes the program. */
static _Noreturn void execute(const struct trial *t, int gate)
{
	static char argument[] = SCOPE_STUBS_ARGUMENT;
	char rounds[16], names[SCOPE_STUBS][24], byte;
	char *argv[3 + SCOPE_STUBS + 1] = {t->targets[0].file, argument, rounds};
	int null = open("/dev/null", O_RDWR);

	snprintf(rounds, sizeof(rounds), "%d", ROUNDS);
	for (size_t i = 0; i < t->n_stubs; i++) {
		snprintf(names[i], sizeof(names[i]), "%d:%d:%d", (int)t->first, (int)t->stubs[i],
			 (int)t->ending);
		argv[3 + i] = names[i];
	}
	for (int fd = 0; fd < 3 && null >= 0; fd++)
		dup2(null, fd);
	if (read(gate, &byte, 1) == 1)
		execv("/proc/self/exe", argv);
	_exit(127);
}

static int not_executed(int error, char *err, size_t err_size)
{
	return error_text(error, "abstat could not execute itself", err, err_size);
}

static int open_gate(int gate, char *err, size_t err_size)
{
	return write(gate, "", 1) == 1 ? 0 : not_executed(-EPIPE, err, err_size);
}

static int begin_at_gate(struct scope_set *set, pid_t pid, int gate, char *err, size_t err_size)
{
	int r = scope_set_begin(set, scope_set_needs_pid(set) ? pid : 0, err, err_size);

	return r ? r : open_gate(gate, err, err_size);
}

static int begin_at_exec(struct scope_set *set, pid_t pid, int gate, char *err, size_t err_size)
{
	int r = scope_stop_prepare(pid, err, err_size);

	r = r ? r : open_gate(gate, err, err_size);
	if (!r && scope_stop_wait(pid))
		r = not_executed(-ECHILD, err, err_size);
	r = r ? r : scope_set_begin(set, pid, err, err_size);
	if (!r)
		scope_stop_release(pid);
	return r;
}

/* Runs the program once under the set. */
static int run_once(const struct trial *t, struct scope_set *set, struct scope_result *result,
		    char *err, size_t err_size)
{
	int gate[2], status = 0;

	if (pipe2(gate, O_CLOEXEC))
		return not_executed(-errno, err, err_size);
	pid_t pid = fork();

	if (!pid) {
		close(gate[1]);
		execute(t, gate[0]);
	}
	close(gate[0]);
	int r = pid < 0                     ? not_executed(-errno, err, err_size)
		: scope_set_needs_exec(set) ? begin_at_exec(set, pid, gate[1], err, err_size)
					    : begin_at_gate(set, pid, gate[1], err, err_size);

	/* -ECHILD: it has ended, and another may have its number. */
	if (pid > 0 && r && r != -ECHILD)
		kill(pid, SIGKILL);
	close(gate[1]);
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		continue;
	if (r)
		return r;
	r = scope_set_end(set, result, err, err_size);
	if (!r && (!WIFEXITED(status) || WEXITSTATUS(status))) {
		snprintf(err, err_size, "abstat could not execute itself");
		return -ECHILD;
	}
	return r;
}

static int take_run(const struct trial *t, size_t run, const struct scope_result *result, char *err,
		    size_t err_size)
{
	for (size_t i = 0; i < t->n_stubs; i++) {
		if (result->calls[i].measured < ROUNDS / 2) {
			snprintf(err, err_size,
				 "of %llu calls of a function of its own, %llu were measured",
				 (unsigned long long)result->calls[i].calls,
				 (unsigned long long)result->calls[i].measured);
			return -EAGAIN;
		}
		for (size_t c = 0; c < t->n_costs; c++)
			reading(t, run, t->stubs[i])[c] = result->costs[i * t->n_costs + c].p50;
	}
	return 0;
}

static int run_trial(struct trial *t, const struct event *const *events, char *err, size_t err_size)
{
	const struct scope_config config = {
	    .targets = t->targets, .n_targets = t->n, .events = events, .n_events = t->n_costs - 1};
	int *errors = calloc(t->n_costs, sizeof(*errors));
	void *memory = calloc(1, scope_result_size(&config));
	struct scope_set *set = NULL;
	struct scope_result result;
	int r = errors && memory ? scope_set_open(&set, &config, errors, err, err_size) : -ENOMEM;

	for (size_t run = 0; run < RUNS && !r; run++) {
		scope_result_place(&result, &config, memory);
		r = t->interrupted && t->interrupted() ? -EINTR
						       : run_once(t, set, &result, err, err_size);
		if (!r)
			r = take_run(t, run, &result, err, err_size);
	}
	scope_set_free(set);
	free(memory);
	free(errors);
	return r;
}

/* The mean of the runs, and its standard error. */
struct estimate {
	double mean, se;
};

static struct estimate estimate_of(const double *values)
{
	struct estimate e = {0};
	double squares = 0;

	for (size_t i = 0; i < RUNS; i++)
		e.mean += values[i] / RUNS;
	for (size_t i = 0; i < RUNS; i++)
		squares += (values[i] - e.mean) * (values[i] - e.mean);
	e.se = sqrt(squares / (RUNS - 1) / RUNS);
	/* An event that is not in the group adds nothing that is known. */
	return isfinite(e.mean) ? e : (struct estimate){0};
}

static void take_cost(const struct trial *t, size_t cost, struct scope_way *way)
{
	double instruction[RUNS], inside[RUNS], around[RUNS];
	/* Of a function, the return is a part that the probes do not see; of others there is none.
	 */
	unsigned length = scope_stub_length(t->first) - (t->ending == SCOPE_ENDING_PLACE);

	for (size_t i = 0; i < RUNS; i++) {
		double few = reading(t, i, STUB_SHORT)[cost], many = reading(t, i, STUB_LONG)[cost];

		instruction[i] = (many - few) / SCOPE_STUB_MORE;
		inside[i] = few - length * instruction[i];
		around[i] = (reading(t, i, STUB_NESTED)[cost] - reading(t, i, STUB_ALONE)[cost]) /
			    SCOPE_STUB_CALLS;
	}
	struct estimate one = estimate_of(instruction), in = estimate_of(inside),
			out = estimate_of(around);

	way->constants[cost] = (struct scope_constant){in.mean, in.se, out.mean, out.se, true};
	way->instruction[cost] = one.mean;
	way->instruction_se[cost] = one.se;
}

/* Stubs that are probed in one set. */
struct stub_set {
	enum scope_stub stubs[SCOPE_STUBS];
	size_t n;
};

/*
 * All four stubs in one set where it has room for them; in sets of two or three scopes, two and
 * two; where one scope is probed alone, each alone, but that a nested one takes two. Ends with an
 * empty set.
 */
static const struct stub_set *sets_for(size_t at_once)
{
	static const struct stub_set one[] = {{{STUB_SHORT}, 1},
					      {{STUB_LONG}, 1},
					      {{STUB_ALONE}, 1},
					      {{STUB_NESTED, STUB_SHORT}, 2},
					      {{STUB_SHORT}, 0}};
	static const struct stub_set two[] = {
	    {{STUB_ALONE, STUB_LONG}, 2}, {{STUB_NESTED, STUB_SHORT}, 2}, {{STUB_SHORT}, 0}};
	static const struct stub_set four[] = {
	    {{STUB_SHORT, STUB_LONG, STUB_NESTED, STUB_ALONE}, 4}, {{STUB_SHORT}, 0}};

	return at_once >= 4 ? four : at_once >= 2 ? two : one;
}

static int measure_way(struct trial *t, const struct event *const *events, size_t at_once,
		       char *err, size_t err_size)
{
	int r = 0;

	for (const struct stub_set *set = sets_for(at_once); set->n && !r; set++) {
		for (size_t k = 0; k < set->n && !r; k++)
			r = add_stub(t, set->stubs[k]);
		if (!r)
			r = fill_up(t, at_once);
		if (!r)
			r = run_trial(t, events, err, err_size);
		release_targets(t);
	}
	return r;
}

static int calibrate_way(struct scope_calibration *c, size_t number,
			 const struct event *const *events, size_t at_once, char *err,
			 size_t err_size)
{
	struct scope_way *way = &c->ways[number];
	struct trial *t = calloc(1, sizeof(*t));
	int r = -ENOMEM;

	way->constants = calloc(c->n_costs, sizeof(*way->constants));
	way->instruction = calloc(c->n_costs, sizeof(*way->instruction));
	way->instruction_se = calloc(c->n_costs, sizeof(*way->instruction_se));
	if (t && way->constants && way->instruction && way->instruction_se) {
		t->first = (enum scope_class)(number / SCOPE_ENDINGS);
		t->ending = (enum scope_ending)(number % SCOPE_ENDINGS);
		t->n_costs = c->n_costs;
		t->interrupted = c->interrupted;
		t->read = calloc((size_t)RUNS * SCOPE_STUBS * c->n_costs, sizeof(*t->read));
		if (t->read)
			r = measure_way(t, events, at_once, err, err_size);
	}
	for (size_t cost = 0; cost < c->n_costs && !r; cost++)
		take_cost(t, cost, way);
	way->known = !r;
	if (t)
		free(t->read);
	free(t);
	return r;
}

static size_t way_of(const struct scope_target *target)
{
	return (size_t)target->begin.first * SCOPE_ENDINGS + scope_ending_of(target);
}

/* The way in which what is at TARGET's end would be probed as a begin. */
static size_t way_of_end(const struct scope_target *target)
{
	return scope_ending_of(target) == SCOPE_ENDING_PLACE && target->n_ends
		   ? (size_t)target->ends[0].first * SCOPE_ENDINGS + SCOPE_ENDING_PLACE
		   : way_of(target);
}

int scope_calibrate(struct scope_calibration *c, const struct event *const *events, size_t n_events,
		    const struct scope_target *targets, size_t n_targets, size_t at_once, char *err,
		    size_t err_size)
{
	int r = 0;

	*c = (struct scope_calibration){.interrupted = c->interrupted, .n_costs = n_events + 1};
	*err = '\0';
	for (size_t i = 0; i < n_targets && !r; i++) {
		const size_t ways[] = {way_of(&targets[i]), way_of_end(&targets[i])};

		if (scope_is_region(&targets[i]) || targets[i].begin.first == SCOPE_CLASS_KERNEL)
			continue;
		for (size_t k = 0; k < 2 && !r; k++)
			if (!c->ways[ways[k]].known)
				r = calibrate_way(c, ways[k], events, at_once, err, err_size);
	}
	if (r && !*err)
		snprintf(err, err_size, "%s", strerror(-r));
	if (r)
		scope_calibration_release(c);
	return r;
}

void scope_calibration_release(struct scope_calibration *c)
{
	for (size_t i = 0; i < SCOPE_WAYS; i++) {
		free(c->ways[i].constants);
		free(c->ways[i].instruction);
		free(c->ways[i].instruction_se);
	}
	*c = (struct scope_calibration){0};
}

bool scope_calibration_of(const struct scope_calibration *c, const struct scope_target *target,
			  struct scope_constant *constants)
{
	const struct scope_way *way = &c->ways[way_of(target)];
	const struct scope_way *end = &c->ways[way_of_end(target)];
	bool known = way->known && end->known;
	/* The probes see less of a function than there is of it: what was skipped. */
	double skipped = target->begin.skipped;

	for (size_t i = 0; i < c->n_costs; i++) {
		constants[i] = (struct scope_constant){0};
		if (!known)
			continue;
		constants[i] = way->constants[i];
		constants[i].inside -= skipped * way->instruction[i];
		constants[i].inside_se =
		    hypot(constants[i].inside_se, skipped * way->instruction_se[i]);
		/* Each end of a stub adds as much to what is around it: of this one, half. */
		if (end == way)
			continue;
		constants[i].around = (way->constants[i].around + end->constants[i].around) / 2;
		constants[i].around_se =
		    hypot(way->constants[i].around_se, end->constants[i].around_se) / 2;
	}
	return known;
}
