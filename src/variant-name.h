/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names of variants: what --name says, else the command.
 */
#ifndef ABSTAT_VARIANT_NAME_H
#define ABSTAT_VARIANT_NAME_H

#include <stddef.h>

#include "variant.h"

/* The number of commands that SPEC gives, in either way. */
size_t variant_spec_commands(const struct variant_spec *spec);

/*
 * Gives a name to every variant of LIST that has none yet, and checks all of them. Returns 0, -ENOMEM
 * or -EINVAL with a message in ERR: two are the same, one is empty, or --name is given neither once,
 * nor once a command, nor once a variant.
 */
int variant_names_finish(struct variant_list *list, const struct variant_spec *spec, char *err,
			 size_t err_size);

#endif
