// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * proof EVENT RUNS COMMAND [ARG...]: counts user instructions (EVENT is "instructions") or cycles
 * of a command with as little code as can be, to prove that this machine's emulated PMU counts,
 * and that events opened once count every run. Prints a line a run: count, enabled, running.
 */
#include <err.h>
#include <linux/perf_event.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

struct reading {
	uint64_t value;
	uint64_t enabled;
	uint64_t running;
};

static int open_event(uint32_t type, uint64_t config, int inherit)
{
	struct perf_event_attr attr;
	int fd;

	memset(&attr, 0, sizeof(attr));
	attr.size = sizeof(attr);
	attr.type = type;
	attr.config = config;
	attr.disabled = 1;
	attr.exclude_kernel = 1;
	attr.exclude_hv = 1;
	attr.inherit = inherit ? 1 : 0;
	attr.enable_on_exec = inherit ? 1 : 0;
	attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		err(1, "perf_event_open of type %u, config %llu", type, (unsigned long long)config);
	return fd;
}

static struct reading read_event(int fd)
{
	struct reading r;

	if (read(fd, &r, sizeof(r)) != (ssize_t)sizeof(r))
		err(1, "reading the event");
	return r;
}

int main(int argc, char **argv)
{
	uint64_t config = PERF_COUNT_HW_INSTRUCTIONS;
	struct reading before, after;
	long runs;
	int fd;

	if (argc < 4)
		errx(2, "usage: proof EVENT RUNS COMMAND [ARG...]");
	if (strcmp(argv[1], "cycles") == 0)
		config = PERF_COUNT_HW_CPU_CYCLES;
	runs = strtol(argv[2], NULL, 10);

	/*
	 * A context that holds only inherited events is taken for a clone of its child's and
	 * swapped with it at a context switch: one event that is not inherited, in each context
	 * (software and hardware have one each before 6.2), prevents that.
	 */
	if (prctl(PR_SET_CHILD_SUBREAPER, 1))
		err(1, "becoming a subreaper");
	open_event(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY, 0);
	open_event(PERF_TYPE_HARDWARE, config, 0);
	fd = open_event(PERF_TYPE_HARDWARE, config, 1);
	before = read_event(fd);
	for (long i = 0; i < runs; i++) {
		pid_t pid;
		int status;

		if (posix_spawn(&pid, argv[3], NULL, NULL, argv + 3, environ))
			err(1, "%s", argv[3]);
		/* Until ECHILD: processes that outlived it are this one's children now. */
		while (wait(&status) > 0)
			continue;
		after = read_event(fd);
		printf("%llu %llu %llu\n", (unsigned long long)(after.value - before.value),
		       (unsigned long long)(after.enabled - before.enabled),
		       (unsigned long long)(after.running - before.running));
		before = after;
	}
	return 0;
}
