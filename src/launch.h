/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a variant to what execve(2) takes: the program's path, its words and its environment.
 */
#ifndef ABSTAT_LAUNCH_H
#define ABSTAT_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "spawner.h"

/* What one variant's runs are started with; made once, and again where {block} asks for it. */
struct launch {
	char *path; /* NULL: not yet looked up */
	char **argv;
	char **envp;
	bool expands;        /* {block} occurs in it */
	uint64_t block_seed; /* what was filled in last */
	size_t strings;  /* bytes that path, argv and envp take on the stack, without the padding */
	size_t pointers; /* of argv and envp, likewise */
	char *padding; /* the value of an environment variable, shortened and lengthened in place */
	size_t padding_size;
	size_t padding_end;
	size_t padding_slot; /* of envp */
};

struct launcher {
	const struct run_config *config;
	struct launch *launches; /* one a variant */
	size_t stack_total;      /* layout_block: what every variant is padded to */
};

/* Returns 0 or -ENOMEM. CONFIG is borrowed. */
int launcher_init(struct launcher *l, const struct run_config *config);
void launcher_release(struct launcher *l);

/*
 * Makes REQUEST's launch ready: fills in {block}, looks the program up, pads the stack. *LAUNCH is
 * valid until the next call. Returns 0 or -errno: -ENOENT where the program is in no directory of
 * PATH, -EACCES where it is but may not be executed.
 */
int launcher_prepare(struct launcher *l, const struct run_request *request,
		     const struct launch **launch);

#endif
