/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How one event is opened: shared by the sets that count, the trials that find out what fits, and
 * the trials that find out what is supported.
 */
#ifndef ABSTAT_COUNTER_OPEN_H
#define ABSTAT_COUNTER_OPEN_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* What a single read gives with the read_format that counter_open() asks for. */
struct counter_reading {
	uint64_t value;
	uint64_t enabled;
	uint64_t running;
};

/*
 * perf_event_open(2), close-on-exec, with a read_format that gives struct counter_reading. GROUP_FD
 * is the leader's, or -1. Returns the descriptor or -errno.
 */
int counter_open(const struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd);

/*
 * Reads a counter, over interruptions. Returns 1, 0 if a pinned event lost its counter (READING is
 * left alone), or -errno.
 */
int counter_read_one(int fd, struct counter_reading *reading);

#endif
