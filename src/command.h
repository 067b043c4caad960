/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Commands: one file each, each exporting one constant descriptor.
 */
#ifndef ABSTAT_COMMAND_H
#define ABSTAT_COMMAND_H

struct command {
	const char *name;
	const char *summary; /* one line for `abstat --help` */
	int (*run)(int argc, char **argv); /* argv[0] is "abstat NAME"; returns the exit status */
};

/* The exit statuses that are promised (those of a gate and of a failed workload included). */
enum exit_status {
	STATUS_OK = 0,
	STATUS_WORSE = 1,
	STATUS_NO_VERDICT = 125,
	STATUS_CANNOT_MEASURE = 128,
	STATUS_USAGE = 129,
	STATUS_INTERRUPTED = 130,
};

extern const struct command *const commands[]; /* NULL-terminated */

#endif
