/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pipes that are drained while a run is in flight, and emptied at its end.
 */
#include "capture.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define BUFFER_SIZE 65536
#define PIPE_SIZE (1 << 20)
#define STACK_SIZE (256 << 10)

/* Appends to the sink; what cannot be kept is noted, never an error: it is not the run's fault. */
static void sink_write(struct capture *c, const char *data, size_t n)
{
	off_t room = c->run_start + CAPTURE_LIMIT - c->end;

	if ((off_t)n > room) {
		n = (size_t)room;
		c->truncated = true;
	}
	while (n > 0) {
		ssize_t done = pwrite(c->sink_fd, data, n, c->end);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0) {
			c->truncated = true;
			return;
		}
		data += done;
		n -= (size_t)done;
		c->end += done;
	}
}

/* Moves what one read gives. Returns whether there may be more. */
static bool drain_once(struct capture *c)
{
	size_t at = c->mode == CAPTURE_TAIL ? c->used : 0;
	ssize_t n;

	if (c->mode == CAPTURE_DROP)
		n = splice(c->read_fd, NULL, c->null_fd, NULL, PIPE_SIZE, SPLICE_F_NONBLOCK);
	else
		n = read(c->read_fd, c->buffer + at, BUFFER_SIZE - at);
	if (n < 0)
		return errno == EINTR;
	if (n == 0)
		return false;
	if (c->mode == CAPTURE_ALL)
		sink_write(c, c->buffer, (size_t)n);
	if (c->mode == CAPTURE_TAIL) {
		c->used += (size_t)n;
		if (c->used > BUFFER_SIZE / 2) {
			memmove(c->buffer, c->buffer + c->used - CAPTURE_TAIL_SIZE,
				CAPTURE_TAIL_SIZE);
			c->used = CAPTURE_TAIL_SIZE;
		}
	}
	return true;
}

static void drain(struct capture *c)
{
	while (drain_once(c))
		;
}

static void *drain_thread(void *context)
{
	struct capture *c = context;
	struct pollfd poll_fd = {.fd = c->read_fd, .events = POLLIN};

	for (;;) {
		if (poll(&poll_fd, 1, -1) < 0 && errno != EINTR)
			return NULL;
		if (c->nap_us)
			usleep(c->nap_us);
		pthread_mutex_lock(&c->lock);
		drain(c);
		pthread_mutex_unlock(&c->lock);
	}
}

void capture_finish(struct capture *c, struct captured *out)
{
	pthread_mutex_lock(&c->lock);
	drain(c);
	if (c->mode == CAPTURE_TAIL && c->used > 0) {
		size_t n = c->used < CAPTURE_TAIL_SIZE ? c->used : CAPTURE_TAIL_SIZE;

		sink_write(c, c->buffer + c->used - n, n);
		c->used = 0;
	}
	out->offset = (uint64_t)c->run_start;
	out->size = (uint64_t)(c->end - c->run_start);
	out->truncated = c->truncated;
	c->run_start = c->end;
	c->truncated = false;
	pthread_mutex_unlock(&c->lock);
}

void capture_rewind(struct capture *c)
{
	if (c->end == 0)
		return;
	pthread_mutex_lock(&c->lock);
	/*
	 * A smaller file gives its memory back; that it could not be made smaller would only cost
	 * memory.
	 */
	(void)!ftruncate(c->sink_fd, 0);
	c->run_start = 0;
	c->end = 0;
	pthread_mutex_unlock(&c->lock);
}

/* The thread takes no signals: handlers belong to the thread that waits for the runs. */
static int start_thread(struct capture *c)
{
	pthread_attr_t attr;
	pthread_t thread;
	sigset_t all, old;
	int rc = pthread_attr_init(&attr);

	if (rc)
		return -rc;
	sigfillset(&all);
	pthread_attr_setstacksize(&attr, STACK_SIZE);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	rc = pthread_create(&thread, &attr, drain_thread, c);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	pthread_attr_destroy(&attr);
	return -rc;
}

int capture_start(struct capture *c, enum capture_mode mode, int sink_fd, unsigned int nap_us)
{
	int fds[2];

	*c = (struct capture){.mode = mode, .sink_fd = sink_fd, .null_fd = -1, .nap_us = nap_us};
	if (pipe2(fds, O_CLOEXEC))
		return -errno;
	c->read_fd = fds[0];
	c->write_fd = fds[1];
	/* Only our end: the workload's writes block, as it expects of a pipe. */
	if (fcntl(c->read_fd, F_SETFL, O_NONBLOCK))
		return -errno;
	/* Room for what comes while we nap. The default size is no error. */
	fcntl(c->read_fd, F_SETPIPE_SZ, PIPE_SIZE);
	if (mode == CAPTURE_DROP) {
		c->null_fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
		if (c->null_fd < 0)
			return -errno;
	} else {
		/* Mapped, not malloc'd: no page of it exists before something is written. */
		c->buffer = mmap(NULL, BUFFER_SIZE, PROT_READ | PROT_WRITE,
				 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (c->buffer == MAP_FAILED)
			return -errno;
	}
	pthread_mutex_init(&c->lock, NULL);
	return start_thread(c);
}
