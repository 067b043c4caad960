/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which abstat this is: the version of meson.build. */
#ifndef ABSTAT_VERSION_H
#define ABSTAT_VERSION_H

extern const char abstat_version[];

#endif
