/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From one written event, with its modifiers, to the events that it stands for.
 */
#ifndef ABSTAT_EVENT_RESOLVE_H
#define ABSTAT_EVENT_RESOLVE_H

#include "event-source.h"

/*
 * Resolves ITEM, to which GROUP_MODIFIERS ("" if none) are added, into scan->found, which must be
 * empty. Returns 0, or -EINVAL, -ENOENT, -EACCES (where it would be found cannot be read) or
 * -ENOMEM with scan->message set; "" with -ENOENT if no source knows such a name.
 */
int event_resolve(struct event_scan *scan, const char *item, const char *group_modifiers);

#endif
