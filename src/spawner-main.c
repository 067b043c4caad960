/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The spawner's side: set-up, then a batch of runs each time that abstat asks.
 */
#include "spawner-shared.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "execute.h"
#include "flight.h"
#include "footprint.h"
#include "monotonic.h"

/*
 * How long runs go on before abstat is told: waking it costs some 100 µs, which is little of this.
 * /
 */
#define BATCH_NS 25000000
/* Output that is not yet handed over is memory: so many bytes end a batch too. */
#define BATCH_OUTPUT (1 << 20)
#define CHILD_STACK_SIZE (64 << 10)
/* A program that writes its stderr line by line shall not wake our thread as often. */
#define STDERR_NAP_US 1000

static int fail(struct spawner_shared *s, int error, const char *what)
{
	snprintf(s->message, sizeof(s->message), "%s: %s", what, strerror(-error));
	return error;
}

/* stdin, stdout and stderr of this process become those of the runs. */
static int set_up_streams(struct executor *e, const struct spawner_seat *seat)
{
	const struct run_config *c = seat->config;
	bool null_out = c->stdout_mode == STREAM_NULL || c->stdout_mode == STREAM_FILE;
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	int rc;

	if (null < 0)
		return fail(seat->shared, -errno, "/dev/null");
	rc = capture_start(&e->err, c->keep_output ? CAPTURE_ALL : CAPTURE_TAIL, seat->err_sink,
			   c->keep_output ? 0 : STDERR_NAP_US);
	e->capture_out = c->keep_output || c->stdout_mode == STREAM_PIPE;
	if (!rc && e->capture_out)
		rc = capture_start(&e->out, c->keep_output ? CAPTURE_ALL : CAPTURE_DROP,
				   seat->out_sink, 0);
	if (rc)
		return fail(seat->shared, rc, "cannot capture the output of the runs");
	if (dup2(null, STDIN_FILENO) < 0 || dup2(e->err.write_fd, STDERR_FILENO) < 0 ||
	    (e->capture_out && dup2(e->out.write_fd, STDOUT_FILENO) < 0) ||
	    (!e->capture_out && null_out && dup2(null, STDOUT_FILENO) < 0))
		return fail(seat->shared, -errno, "cannot redirect the streams of the runs");
	close(null);
	close(e->err.write_fd);
	if (e->capture_out)
		close(e->out.write_fd);
	return 0;
}

/* What children inherit: no wrapper has to set it for each run. */
static int set_up_inherited(const struct spawner_seat *seat)
{
	const struct run_config *c = seat->config;
	int last = -1;

	if (c->layout_block &&
	    personality(ADDR_NO_RANDOMIZE | (unsigned long)personality(0xffffffff)) < 0)
		return fail(seat->shared, -errno, "cannot switch address randomisation off");
	if (!c->cpus)
		return 0;
	for (size_t i = 0; i < c->n_cpus; i++)
		last = c->cpus[i] > last ? c->cpus[i] : last;

	cpu_set_t *set = CPU_ALLOC((size_t)last + 1);
	size_t size = CPU_ALLOC_SIZE((size_t)last + 1);
	int rc = 0;

	if (!set)
		return fail(seat->shared, -ENOMEM, "cannot choose the CPUs of the runs");
	CPU_ZERO_S(size, set);
	for (size_t i = 0; i < c->n_cpus; i++)
		CPU_SET_S((size_t)c->cpus[i], size, set);
	if (sched_setaffinity(0, size, set))
		rc = fail(seat->shared, -errno, "cannot run on the CPUs asked for");
	CPU_FREE(set);
	return rc;
}

static int set_up_memory(struct executor *e, const struct spawner_seat *seat)
{
	char *stack = mmap(NULL, CHILD_STACK_SIZE, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);

	e->n_slots = seat->n_slots;
	e->before = calloc(e->n_slots + 1, sizeof(*e->before));
	e->after = calloc(e->n_slots + 1, sizeof(*e->after));
	if (stack == MAP_FAILED || !e->before || !e->after ||
	    launcher_init(&e->launcher, seat->config))
		return fail(seat->shared, -ENOMEM, "cannot prepare the runs");
	e->child_stack = stack + CHILD_STACK_SIZE;
	return 0;
}

/*
 * The threads come before the affinity, which is the runs' alone, and before the events, which
 * count all that comes later.
 */
static int set_up(struct executor *e, const struct spawner_seat *seat)
{
	struct spawner_shared *s = seat->shared;
	int rc;

	*e = (struct executor){
	    .config = seat->config, .message = s->message, .message_size = sizeof(s->message)};
	prctl(PR_SET_NAME, "abstat-spawner", 0, 0, 0);
	rc = flight_init(seat->parent, &s->interrupt, &s->run_pid);
	if (rc || prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0))
		return fail(s, rc ? rc : -errno, "cannot prepare the process that starts the runs");
	rc = set_up_memory(e, seat);
	rc = rc ? rc : set_up_streams(e, seat);
	/* Its thread likewise. */
	e->n_scope_costs = seat->scopes ? scope_costs(seat->scopes) : 0;
	if (!rc && seat->scopes)
		rc = scope_set_open(&e->scopes, seat->scopes, seat->slot_errors, s->message,
				    sizeof(s->message));
	/* Programs that mark regions look for it. */
	if (!rc && e->scopes && scope_set_variable(e->scopes) &&
	    putenv((char *)scope_set_variable(e->scopes)))
		rc = fail(s, -errno, "cannot set the environment of the runs");
	rc = rc ? rc : set_up_inherited(seat);
	if (!rc && seat->n_slots)
		rc = counter_set_open(&e->set, seat->counters, seat->slot_errors, s->message,
				      sizeof(s->message));
	return rc;
}

static void run_batch(struct executor *e, const struct spawner_seat *seat)
{
	struct spawner_shared *s = seat->shared;
	uint64_t end = monotonic_ns() + BATCH_NS;
	uint64_t floor;
	bool more = true;

	capture_rewind(&e->err);
	if (e->capture_out)
		capture_rewind(&e->out);
	for (s->done = 0; s->done < s->n && more;) {
		struct spawner_slot *slot = &s->slots[s->done];

		e->scope_result = &slot->scopes;
		s->rc = execute_run(e, &slot->request, &slot->result,
				    seat->values + s->done * e->n_slots, &slot->out, &slot->err);
		slot->has_scopes = e->scopes && !s->rc && e->scopes_valid;
		if (s->rc)
			break;
		s->done++;
		more = slot->result.outcome == RUN_OK ||
		       (s->keep_going && slot->result.outcome != RUN_NOT_STARTED &&
			slot->result.outcome != RUN_INTERRUPTED);
		if (monotonic_ns() >= end || e->err.end + e->out.end > BATCH_OUTPUT)
			more = false;
	}
	floor = footprint_peak();
	for (uint32_t i = 0; i < s->done; i++)
		s->slots[i].result.max_rss_floor = floor;
}

/* Returns false when abstat has gone or wants no more. */
static bool wake_and_wait(int socket)
{
	char byte = 0;
	ssize_t n;

	do
		n = send(socket, &byte, 1, MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	if (n != 1)
		return false;
	do
		n = read(socket, &byte, 1);
	while (n < 0 && errno == EINTR);
	return n == 1;
}

_Noreturn void spawner_main(const struct spawner_seat *seat)
{
	struct footprint footprint = {0};
	struct executor e;
	bool first = true;

	seat->shared->rc = set_up(&e, seat);
	if (!seat->shared->rc) {
		footprint_init(&footprint);
		footprint_trim(&footprint);
	}
	while (wake_and_wait(seat->socket) && !seat->shared->rc) {
		run_batch(&e, seat);
		/*
		 * Once more without what only a first run touches: the dynamic linker, the look-up
		 * of programs.
		 */
		if (first)
			footprint_trim(&footprint);
		first = false;
	}
	/* What the probes are defined by outlives us. */
	scope_set_free(e.scopes);
	_exit(0);
}
