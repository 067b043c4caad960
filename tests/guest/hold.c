// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * hold N [pinned]: counts N raw events on CPU 0, whoever runs there, until it is killed. So a
 * test can take away as many counters as it likes. Prints "holding" once it does.
 */
#include <err.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int count = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 1;
	struct perf_event_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.size = sizeof(attr);
	attr.type = PERF_TYPE_RAW;
	attr.config = 0x8; /* instructions retired, on any armv8 */
	attr.pinned = argc > 2 && strcmp(argv[2], "pinned") == 0;
	for (int i = 0; i < count; i++)
		if (syscall(SYS_perf_event_open, &attr, -1, 0, -1, 0ul) < 0)
			err(1, "opening counter %d", i + 1);
	puts("holding");
	fflush(stdout);
	for (;;)
		pause();
}
