/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finding tracefs, mounting it without a place, and its files.
 */
#include "scope-tracefs.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/mount.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

static int mount_detached(void)
{
	long fs = syscall(SYS_fsopen, "tracefs", FSOPEN_CLOEXEC);
	long fd;

	if (fs < 0)
		return -errno;
	if (syscall(SYS_fsconfig, fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0) < 0)
		fd = -1;
	else
		fd = syscall(SYS_fsmount, fs, FSMOUNT_CLOEXEC,
			     MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC);
	if (fd < 0)
		fd = -errno;
	close((int)fs);
	return (int)fd;
}

int tracefs_open(void)
{
	static const char *const places[] = {"/sys/kernel/tracing", "/sys/kernel/debug/tracing"};
	struct statfs fs;

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		int fd = open(places[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);

		if (fd < 0)
			continue;
		/* Where nothing is mounted the directory is there all the same. */
		if (!fstatfs(fd, &fs) && fs.f_type == TRACEFS_MAGIC)
			return fd;
		close(fd);
	}
	return mount_detached();
}

int tracefs_append(int dir, const char *file, const char *text)
{
	size_t len = strlen(text);
	int fd = openat(dir, file, O_WRONLY | O_APPEND | O_CLOEXEC);
	ssize_t n;
	int rc = 0;

	if (fd < 0)
		return -errno;
	do
		n = write(fd, text, len);
	while (n < 0 && errno == EINTR);
	if (n != (ssize_t)len)
		rc = n < 0 ? -errno : -EIO;
	close(fd);
	return rc;
}

char *tracefs_read(int dir, const char *file)
{
	int fd = openat(dir, file, O_RDONLY | O_CLOEXEC);
	size_t used = 0, size = 0;
	char *text = NULL;
	ssize_t n = 1;

	if (fd < 0)
		return NULL;
	while (n > 0) {
		if (used + 1 >= size) {
			char *grown = realloc(text, size * 2 + 4096);

			if (!grown)
				break;
			text = grown;
			size = size * 2 + 4096;
		}
		n = read(fd, text + used, size - used - 1);
		if (n > 0)
			used += (size_t)n;
		else if (n < 0 && errno == EINTR)
			n = 1;
	}
	close(fd);
	if (n != 0) {
		free(text);
		return NULL;
	}
	text[used] = '\0';
	return text;
}
