/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Small text files of /proc and /sys, by formatted path.
 */
#ifndef ABSTAT_FILE_TEXT_H
#define ABSTAT_FILE_TEXT_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The text of the file, without trailing white space; at most 1 MiB. The caller frees it. NULL,
 * with errno set, if it cannot be read.
 */
char *file_text(const char *path_format, ...) __attribute__((format(printf, 1, 2)));

/* The decimal number that the file consists of, or OTHERWISE. */
int64_t file_number(int64_t otherwise, const char *path_format, ...)
    __attribute__((format(printf, 2, 3)));

bool file_exists(const char *path_format, ...) __attribute__((format(printf, 1, 2)));

#endif
