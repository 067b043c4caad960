/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tracefs as a directory that files are opened in: mounted, or mounted for us alone.
 */
#ifndef ABSTAT_SCOPE_TRACEFS_H
#define ABSTAT_SCOPE_TRACEFS_H

#include <stddef.h>

/*
 * A descriptor of the root of tracefs: where it is mounted, else of a mount that has no place in
 * any tree and is gone with the descriptor. -errno: -ENODEV where the kernel has none, -EACCES or
 * -EPERM where this user may not.
 */
int tracefs_open(void);

/* Writes TEXT, one command, to the end of FILE. 0 or -errno. */
int tracefs_append(int dir, const char *file, const char *text);

/* The contents of FILE, terminated; the caller frees. NULL: cannot be read. */
char *tracefs_read(int dir, const char *file);

#endif
