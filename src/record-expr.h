/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --metric after the fact: computed for every run of a record that was read. */
#ifndef ABSTAT_RECORD_EXPR_H
#define ABSTAT_RECORD_EXPR_H

#include <stddef.h>

#include "record.h"

/*
 * Adds the metric that DEFINITION, "NAME=EXPR", defines over those of R. Where there are no runs
 * but means only, it has no value, and says why. 0; -EINVAL or -ENOMEM with a message in ERR.
 */
int record_add_expr(struct record *r, const char *definition, char *err, size_t err_size);

#endif
