/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether the kernel takes a probe on an instruction.
 *
 * Some instructions it cannot execute in another place, and does not emulate. A probe on one of
 * those is opened without an error as long as nothing has the file mapped, and is then never hit,
 * which must not be taken for a function that is never called.
 */
#ifndef ABSTAT_SCOPE_TRIAL_H
#define ABSTAT_SCOPE_TRIAL_H

#include <stddef.h>

#include "scope-target.h"

/* An errno of the kernel's own, which is not meant to reach us, and does: it cannot probe that. */
#define KERNEL_ENOTSUPP 524

/*
 * Tries TARGET's places in this process, which maps its file for that. 0: it takes them, or they
 * are of a kind that it always takes, or it cannot be tried by this user. -EINVAL with a message
 * that says what to do: it does not.
 */
int scope_trial(const struct scope_target *target, char *err, size_t err_size);

#endif
