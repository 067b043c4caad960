/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * abstat's side of a spawner.
 */
#include "spawner.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "flight.h"
#include "spawner-shared.h"

struct spawner {
	struct spawner_seat seat;
	struct scope_config scopes;
	size_t map_size;
	int socket;
	pid_t pid;
	char *text[2]; /* stdout, stderr of the run that is being reported */
	size_t text_size[2];
};

static int set_error(char *err, size_t err_size, int error, const char *what)
{
	snprintf(err, err_size, "%s: %s", what, strerror(-error));
	return error;
}

static size_t round_up(size_t n)
{
	return (n + 63) & ~(size_t)63;
}

static int map_shared(struct spawner *s)
{
	struct spawner_seat *seat = &s->seat;
	size_t scope_size = seat->scopes ? round_up(scope_result_size(seat->scopes)) : 0;
	size_t values = round_up(sizeof(struct spawner_shared));
	size_t scopes =
	    values + round_up(SPAWNER_BATCH * seat->n_slots * sizeof(struct counter_value));
	size_t errors = scopes + SPAWNER_BATCH * scope_size;
	char *map;

	s->map_size = errors + seat->n_errors * sizeof(int);
	map = mmap(NULL, s->map_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (map == MAP_FAILED)
		return -errno;
	seat->shared = (void *)map;
	seat->values = (void *)(map + values);
	seat->slot_errors = (void *)(map + errors);
	for (size_t i = 0; seat->scopes && i < SPAWNER_BATCH; i++)
		scope_result_place(&seat->shared->slots[i].scopes, seat->scopes,
				   map + scopes + i * scope_size);
	return 0;
}

/*
 * A pipe or a directory would fail in a way that is hard to understand, or give its contents to the
 * first run only.
 */
static int check_stdin(const struct run_config *run, char *err, size_t err_size)
{
	struct stat st;
	int rc;

	if (!run->stdin_path)
		return 0;
	rc = stat(run->stdin_path, &st) || access(run->stdin_path, R_OK) ? -errno : 0;
	if (rc)
		return set_error(err, err_size, rc, run->stdin_path);
	if (S_ISREG(st.st_mode) || S_ISCHR(st.st_mode) || S_ISBLK(st.st_mode))
		return 0;
	snprintf(err, err_size, "%s: is %s: every run reads its input anew, which takes a file",
		 run->stdin_path, S_ISDIR(st.st_mode) ? "a directory" : "a pipe or a socket");
	return -EINVAL;
}

/*
 * Where stdin, stdout or stderr is closed, a socket would take its number, and be written to as if
 * it were that stream. A stream that can be written to in no way takes it instead.
 */
static void occupy_streams(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
			(void)!open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

static int spawner_init(struct spawner *s, const struct run_config *run,
			const struct counter_config *counters, const struct scope_config *scopes,
			int sockets[2])
{
	int rc;

	occupy_streams();
	*s = (struct spawner){.socket = -1};
	s->seat = (struct spawner_seat){.config = run,
					.counters = counters,
					.socket = -1,
					.out_sink = -1,
					.err_sink = -1,
					.parent = getpid()};
	s->seat.n_slots = counters && counters->n ? counter_slots(counters) : 0;
	s->seat.n_errors = s->seat.n_slots;
	if (scopes) {
		s->scopes = *scopes;
		s->scopes.cpus = run->cpus;
		s->scopes.n_cpus = run->n_cpus;
		s->seat.scopes = &s->scopes;
		s->seat.n_errors = scopes->n_events;
	}
	rc = map_shared(s);
	if (rc)
		return rc;
	s->seat.err_sink = memfd_create("abstat-stderr", MFD_CLOEXEC);
	s->seat.out_sink = memfd_create("abstat-stdout", MFD_CLOEXEC);
	if (s->seat.err_sink < 0 || s->seat.out_sink < 0)
		return -errno;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets))
		return -errno;
	s->socket = sockets[0];
	s->seat.socket = sockets[1];
	return 0;
}

/* The spawner does not answer any more: says why. */
static int report_death(struct spawner *s, char *err, size_t err_size)
{
	pid_t run = atomic_exchange(&s->seat.shared->run_pid, 0);
	int status = 0;

	/* Nobody is left to end the run. */
	if (run > 0)
		kill(-run, SIGKILL);
	if (s->pid > 0 && waitpid(s->pid, &status, 0) == s->pid && WIFSIGNALED(status))
		snprintf(err, err_size,
			 "the process that starts the runs was killed by signal %d (%s)%s",
			 WTERMSIG(status), strsignal(WTERMSIG(status)),
			 WTERMSIG(status) == SIGKILL ? "; was the system out of memory?" : "");
	else
		snprintf(err, err_size, "the process that starts the runs ended unexpectedly");
	s->pid = -1;
	return -EPIPE;
}

/* Sleeps until the spawner has something to say. */
static int wait_for_spawner(struct spawner *s, char *err, size_t err_size)
{
	ssize_t n;
	char byte;

	do
		n = read(s->socket, &byte, 1);
	while (n < 0 && errno == EINTR);
	if (n != 1)
		return report_death(s, err, err_size);
	if (s->seat.shared->rc)
		snprintf(err, err_size, "%s", s->seat.shared->message);
	return s->seat.shared->rc;
}

static int start(struct spawner **spawner, const struct run_config *run,
		 const struct counter_config *counters, const struct scope_config *scopes,
		 int *slot_errors, char *err, size_t err_size)
{
	struct spawner *s;
	int sockets[2];
	int rc = check_stdin(run, err, err_size);

	*spawner = NULL;
	if (rc)
		return rc;
	s = malloc(sizeof(*s));
	if (!s)
		return set_error(err, err_size, -ENOMEM, "cannot start the runs");
	rc = spawner_init(s, run, counters, scopes, sockets);
	s->pid = rc ? -1 : fork();
	if (s->pid == 0) {
		close(s->socket);
		spawner_main(&s->seat);
	}
	if (s->pid < 0) {
		rc = set_error(err, err_size, rc ? rc : -errno, "cannot start the runs");
		spawner_free(s);
		return rc;
	}
	close(s->seat.socket);
	s->seat.socket = -1;
	rc = wait_for_spawner(s, err, err_size);
	if (rc) {
		spawner_free(s);
		return rc;
	}
	if (s->seat.n_errors)
		memcpy(slot_errors, s->seat.slot_errors, s->seat.n_errors * sizeof(*slot_errors));
	*spawner = s;
	return 0;
}

int spawner_start(struct spawner **spawner, const struct run_config *run,
		  const struct counter_config *counters, int *slot_errors, char *err,
		  size_t err_size)
{
	return start(spawner, run, counters, NULL, slot_errors, err, err_size);
}

int spawner_start_probed(struct spawner **spawner, const struct run_config *run,
			 const struct scope_config *scopes, int *slot_errors, char *err,
			 size_t err_size)
{
	return start(spawner, run, NULL, scopes, slot_errors, err, err_size);
}

/* Copies a run's output from the sink. The text is terminated, for those who want a string. */
static int fetch(struct spawner *s, int stream, int sink, const struct captured *c,
		 const char **text, size_t *len)
{
	*text = "";
	*len = 0;
	if (c->size == 0)
		return 0;
	if (s->text_size[stream] < c->size + 1) {
		char *grown = realloc(s->text[stream], c->size + 1);

		if (!grown)
			return -ENOMEM;
		s->text[stream] = grown;
		s->text_size[stream] = c->size + 1;
	}
	while (*len < c->size) {
		ssize_t n =
		    pread(sink, s->text[stream] + *len, c->size - *len, (off_t)(c->offset + *len));

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : -EIO;
		*len += (size_t)n;
	}
	s->text[stream][*len] = '\0';
	*text = s->text[stream];
	return 0;
}

static int report(struct spawner *s, const struct spawner_slot *slot,
		  const struct counter_value *values, spawner_done_fn *done, void *context,
		  char *err, size_t err_size)
{
	struct run_output output = {.truncated = slot->out.truncated || slot->err.truncated};
	int rc = fetch(s, 0, s->seat.out_sink, &slot->out, &output.stdout_text, &output.stdout_len);

	if (!rc)
		rc = fetch(s, 1, s->seat.err_sink, &slot->err, &output.stderr_text,
			   &output.stderr_len);
	if (rc)
		return set_error(err, err_size, rc, "cannot read the output of a run");
	return done(context, &slot->request, &slot->result, values,
		    slot->has_scopes ? &slot->scopes : NULL, &output);
}

/*
 * One turn: as many of the N requests as the spawner takes. *TAKEN is how many it finished, *STOP
 * whether it is to go no further.
 */
static int run_turn(struct spawner *s, const struct run_request *requests, size_t n,
		    bool keep_going, uint32_t *taken, char *err, size_t err_size)
{
	struct spawner_shared *shared = s->seat.shared;
	char byte = 0;

	shared->n = n < SPAWNER_BATCH ? (uint32_t)n : SPAWNER_BATCH;
	shared->done = 0;
	shared->keep_going = keep_going;
	for (uint32_t i = 0; i < shared->n; i++)
		shared->slots[i].request = requests[i];
	if (send(s->socket, &byte, 1, MSG_NOSIGNAL) != 1)
		return report_death(s, err, err_size);

	int rc = wait_for_spawner(s, err, err_size);

	*taken = shared->done;
	return rc;
}

int spawner_run(struct spawner *s, const struct run_request *requests, size_t n, bool keep_going,
		spawner_done_fn *done, void *context, char *err, size_t err_size)
{
	for (size_t at = 0; at < n;) {
		enum run_outcome last = RUN_OK;
		uint32_t taken = 0;
		int rc = run_turn(s, requests + at, n - at, keep_going, &taken, err, err_size);

		/* What was finished before an error is reported all the same. */
		for (uint32_t i = 0; i < taken; i++) {
			const struct spawner_slot *slot = &s->seat.shared->slots[i];
			int stop = report(s, slot, s->seat.values + i * s->seat.n_slots, done,
					  context, err, err_size);

			if (stop)
				return stop;
			last = slot->result.outcome;
		}
		if (rc)
			return rc;
		if (last == RUN_NOT_STARTED || last == RUN_INTERRUPTED ||
		    (last != RUN_OK && !keep_going))
			return 0;
		at += taken;
	}
	return 0;
}

void spawner_interrupt(struct spawner *s, int signal)
{
	atomic_store(&s->seat.shared->interrupt, signal);
	if (s->pid > 0)
		kill(s->pid, FLIGHT_INTERRUPT_SIGNAL);
}

static void close_fd(int fd)
{
	if (fd >= 0)
		close(fd);
}

void spawner_free(struct spawner *s)
{
	if (!s)
		return;
	/*
	 * The end of the socket is the spawner's end: between two turns nothing is running. Not by
	 * close, because a spawner that was forked later holds the descriptor too.
	 */
	if (s->socket >= 0)
		shutdown(s->socket, SHUT_RDWR);
	close_fd(s->socket);
	close_fd(s->seat.socket);
	if (s->pid > 0)
		while (waitpid(s->pid, NULL, 0) < 0 && errno == EINTR)
			;
	close_fd(s->seat.out_sink);
	close_fd(s->seat.err_sink);
	if (s->seat.shared)
		munmap(s->seat.shared, s->map_size);
	free(s->text[0]);
	free(s->text[1]);
	free(s);
}
