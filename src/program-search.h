/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where in PATH a program is. */
#ifndef ABSTAT_PROGRAM_SEARCH_H
#define ABSTAT_PROGRAM_SEARCH_H

/*
 * Looks up NAME as execvp(3) does: by itself if a '/' is in it, or else in the directories of
 * SEARCH_PATH (NULL: the usual ones). What is relative is seen from CWD (NULL: the current
 * directory). *PATH becomes the path as seen from there, which the caller frees. 0 or -errno:
 * -ENOENT where there is no such file, -EACCES where it is there but may not be executed, -ENOMEM.
 */
int program_search(const char *name, const char *cwd, const char *search_path, char **path);

#endif
