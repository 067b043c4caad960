/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where files are in the memory of a process, by the text of its /proc/PID/maps.
 */
#ifndef ABSTAT_SCOPE_MAPPING_H
#define ABSTAT_SCOPE_MAPPING_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

/* The address of byte OFFSET of the file that is FILE, where that can be executed; 0: nowhere. */
uint64_t mapping_address(const char *maps, const struct stat *file, uint64_t offset);

/* Whether what can be executed at ADDRESS is of FILE, wherever in it. */
bool mapping_is_of(const char *maps, uint64_t address, const struct stat *file);

/* Which file is executed at ADDRESS; false: none that is still there. */
bool mapping_file(const char *maps, uint64_t address, struct stat *file);

#endif
