/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bench-bare PROGRAM N: the bare loop that others are held against: posix_spawn(3) and wait4(2), N times. */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>

extern char **environ;

int main(int argc, char **argv)
{
	unsigned long n = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;

	if (!n) {
		fputs("usage: bench-bare PROGRAM N\n", stderr);
		return 2;
	}
	for (unsigned long i = 0; i < n; i++) {
		char *words[] = {argv[1], NULL};
		struct rusage usage;
		int status;
		pid_t pid;

		if (posix_spawn(&pid, argv[1], NULL, NULL, words, environ) ||
		    wait4(pid, &status, 0, &usage) != pid || status) {
			fprintf(stderr, "bench-bare: %s did not run\n", argv[1]);
			return 1;
		}
	}
	return 0;
}
