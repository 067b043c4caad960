/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads small text files whole: their size is not known beforehand in /proc and /sys.
 */
#include "file-text.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_LIMIT = 1 << 20 };

static ssize_t read_some(int fd, char *buffer, size_t size)
{
	ssize_t n;

	do {
		n = read(fd, buffer, size);
	} while (n < 0 && errno == EINTR);
	return n;
}

static char *read_all(int fd)
{
	size_t size = 4096, used = 0;
	char *text = malloc(size);

	while (text) {
		ssize_t n = read_some(fd, text + used, size - used - 1);

		if (n <= 0 || used + (size_t)n >= TEXT_LIMIT) {
			if (n < 0) {
				free(text);
				return NULL;
			}
			used += (size_t)n;
			break;
		}
		used += (size_t)n;
		if (used + 1 == size) {
			char *more = realloc(text, size * 2);

			if (!more)
				free(text);
			text = more;
			size *= 2;
		}
	}
	if (!text)
		return NULL;
	while (used && isspace((unsigned char)text[used - 1]))
		used--;
	text[used] = '\0';
	return text;
}

static char *text_at(const char *path_format, va_list arguments)
{
	char path[PATH_MAX];
	char *text;
	int fd, saved;
	int n = vsnprintf(path, sizeof(path), path_format, arguments);

	if (n < 0 || (size_t)n >= sizeof(path)) {
		errno = ENAMETOOLONG;
		return NULL;
	}
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	text = read_all(fd);
	saved = errno;
	close(fd);
	errno = saved;
	return text;
}

char *file_text(const char *path_format, ...)
{
	va_list arguments;
	char *text;

	va_start(arguments, path_format);
	text = text_at(path_format, arguments);
	va_end(arguments);
	return text;
}

int64_t file_number(int64_t otherwise, const char *path_format, ...)
{
	va_list arguments;
	char *text, *end;
	long long number;

	va_start(arguments, path_format);
	text = text_at(path_format, arguments);
	va_end(arguments);
	if (!text)
		return otherwise;
	errno = 0;
	number = strtoll(text, &end, 10);
	if (errno || end == text || *end)
		number = otherwise;
	free(text);
	return number;
}

bool file_exists(const char *path_format, ...)
{
	char path[PATH_MAX];
	va_list arguments;
	int n;

	va_start(arguments, path_format);
	n = vsnprintf(path, sizeof(path), path_format, arguments);
	va_end(arguments);
	return n > 0 && (size_t)n < sizeof(path) && access(path, F_OK) == 0;
}
