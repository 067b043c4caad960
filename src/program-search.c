/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where in PATH a program is. */
#include "program-search.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char usual_path[] = "/usr/local/bin:/usr/bin:/bin";

/* 0 or -errno: whether PATH, seen from CWD, may be executed. */
static int executable(const char *cwd, const char *path)
{
	int dir = cwd ? open(cwd, O_PATH | O_DIRECTORY | O_CLOEXEC) : AT_FDCWD;
	struct stat st;
	int rc = 0;

	if (cwd && dir < 0)
		return -errno;
	if (fstatat(dir, path, &st, 0))
		rc = -errno;
	/* As the kernel asks: by the effective user, which access(2) does not. */
	else if (!S_ISREG(st.st_mode) || faccessat(dir, path, X_OK, AT_EACCESS))
		rc = -EACCES;
	if (dir >= 0)
		close(dir);
	return rc;
}

static int search(const char *name, const char *cwd, const char *directories, char **path)
{
	int error = -ENOENT;

	for (;;) {
		size_t len = strcspn(directories, ":");
		int rc;

		/* An empty entry is the current directory. */
		if (asprintf(path, "%.*s%s%s", (int)len, directories, len ? "/" : "./", name) < 0)
			return -ENOMEM;
		rc = executable(cwd, *path);
		if (!rc)
			return 0;
		free(*path);
		if (rc == -EACCES)
			error = rc;
		if (!directories[len])
			return error;
		directories += len + 1;
	}
}

int program_search(const char *name, const char *cwd, const char *search_path, char **path)
{
	if (!*name)
		return -ENOENT;
	if (!strchr(name, '/'))
		return search(name, cwd, search_path ? search_path : usual_path, path);
	int rc = executable(cwd, name);

	if (rc)
		return rc;
	*path = strdup(name);
	return *path ? 0 : -ENOMEM;
}
