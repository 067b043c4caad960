/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What runs write: a pipe that lives as long as the spawner, drained by a thread.
 *
 * A silent program costs nothing but one read that finds the pipe empty: the thread sleeps in
 * poll(2). It must be started before any event is opened, because inherited events would count it.
 */
#ifndef ABSTAT_CAPTURE_H
#define ABSTAT_CAPTURE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum capture_mode {
	CAPTURE_DROP, /* drain the pipe, keep nothing */
	CAPTURE_TAIL, /* keep the last CAPTURE_TAIL_SIZE bytes */
	CAPTURE_ALL,  /* keep everything, up to CAPTURE_LIMIT */
};

#define CAPTURE_TAIL_SIZE 4096
#define CAPTURE_LIMIT ((off_t)16 << 20)

/* Where in the sink a run's output is. */
struct captured {
	uint64_t offset;
	uint64_t size;
	bool truncated; /* CAPTURE_ALL: there was more than the limit */
};

struct capture {
	enum capture_mode mode;
	int read_fd;
	int write_fd; /* for the workload; -1 once the caller took it */
	/* A memfd: written, not mapped, so that output never adds to the spawner's own size. */
	int sink_fd;
	int null_fd;
	/* Between two drains, so that a chatty workload does not wake us for each line. */
	unsigned int nap_us;
	pthread_mutex_t lock;
	char *buffer;
	size_t used;     /* CAPTURE_TAIL: in buffer */
	off_t run_start; /* in the sink */
	off_t end;       /* of the sink */
	bool truncated;
};

/* A run is over: what it left in the pipe is taken and *OUT filled. Never blocks. */
void capture_finish(struct capture *c, struct captured *out);

/* Forgets what is in the sink: the reader has taken it. */
void capture_rewind(struct capture *c);

/*
 * Opens the pipe and starts the thread, which ends with the process. SINK_FD is written from 0 on;
 * -1 with CAPTURE_DROP. Returns 0 or -errno.
 */
int capture_start(struct capture *c, enum capture_mode mode, int sink_fd, unsigned int nap_us);

#endif
