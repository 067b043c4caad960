/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why a run was no success, in words.
 */
#ifndef ABSTAT_RUN_FAILURE_H
#define ABSTAT_RUN_FAILURE_H

#include <stddef.h>

#include "run.h"
#include "spawner.h"

/*
 * Writes to BUF what became of a run of V whose outcome is not RUN_OK: "exited with status 3",
 * "command not found: 'foo'". Reads the file system to tell a missing file from a missing
 * interpreter. No newline, no full stop.
 */
void run_failure_text(const struct run_result *r, const struct variant *v,
		      const struct run_config *config, char *buf, size_t size);

/*
 * True if SIG only stops a process: a run with RUN_SIGNAL and such a status stopped itself and was
 * killed for it.
 */
int signal_stops(int sig);

#endif
