/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens and reads one counter: the two system calls, and nothing else.
 */
#include "counter-open.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

int counter_open(const struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd)
{
	struct perf_event_attr a = *attr;
	long fd;

	a.size = sizeof(a);
	a.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	fd = syscall(SYS_perf_event_open, &a, pid, cpu, group_fd, PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : (int)fd;
}

int counter_read_one(int fd, struct counter_reading *reading)
{
	struct counter_reading r;
	ssize_t n;

	do {
		n = read(fd, &r, sizeof(r));
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	if (n == 0)
		return 0;
	if (n != sizeof(r))
		return -EIO;
	*reading = r;
	return 1;
}
