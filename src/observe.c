/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A dead process's last CPU and its moves between CPUs.
 */
#include "observe.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "machine.h"

/*
 * In /proc/PID/stat, the fields after the name, which may contain blanks itself, are numbered from
 * 3.
 */
#define STAT_FIRST 3
#define STAT_PROCESSOR 39

static ssize_t read_proc(pid_t pid, const char *name, char *buf, size_t size)
{
	char path[64];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	n = read(fd, buf, size - 1);
	close(fd);
	if (n >= 0)
		buf[n] = '\0';
	return n;
}

static int processor(char *stat)
{
	char *p = strrchr(stat, ')');

	for (int field = STAT_FIRST - 1; p && field < STAT_PROCESSOR; field++) {
		p = strchr(p, ' ');
		if (p)
			p++;
	}
	return p ? (int)strtol(p, NULL, 10) : -1;
}

static int64_t migrations(const char *sched)
{
	const char *p = strstr(sched, "nr_migrations");

	p = p ? strchr(p, ':') : NULL;
	return p ? strtoll(p + 1, NULL, 10) : -1;
}

void observe_end(pid_t pid, struct run_result *r)
{
	char buf[4096];

	if (read_proc(pid, "stat", buf, sizeof(buf)) > 0)
		r->cpu = processor(buf);
	if (r->cpu >= 0)
		r->frequency = machine_cpu_frequency(r->cpu, "/sys");
	if (read_proc(pid, "sched", buf, sizeof(buf)) > 0)
		r->migrations = migrations(buf);
}
