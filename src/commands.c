/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The commands that there are. */
#include "command.h"

#include <stddef.h>

extern const struct command cmd_calibrate, cmd_compare, cmd_demo, cmd_diff, cmd_elf, cmd_list, cmd_plan, cmd_report,
	cmd_stat;

const struct command *const commands[] = {
	&cmd_stat,
	&cmd_compare,
	&cmd_diff,
	&cmd_report,
	&cmd_elf,
	&cmd_list,
	&cmd_plan,
	&cmd_calibrate,
	&cmd_demo,
	NULL,
};
