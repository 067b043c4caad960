/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads a file or a stream line by line. */
#include "line-reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHUNK = 256 << 10 };

struct line_reader {
	int fd; /* -1: all is in the buffer */
	bool eof;
	bool ended;
	char *buffer;
	size_t capacity;
	size_t start, end; /* what has not been given out */
	size_t last;       /* where the last line began */
};

struct line_reader *line_reader_open(const char *path, char *err, size_t err_size)
{
	struct line_reader *r = calloc(1, sizeof(*r));
	bool standard_input = !strcmp(path, "-");
	struct stat st;

	if (!r) {
		snprintf(err, err_size, "out of memory");
		return NULL;
	}
	r->fd = standard_input ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (r->fd < 0) {
		snprintf(err, err_size, "cannot read %s: %s",
			 standard_input ? "standard input" : path, strerror(errno));
		free(r);
		return NULL;
	}
	if (!fstat(r->fd, &st) && S_ISDIR(st.st_mode)) {
		snprintf(err, err_size, "cannot read %s: %s", path, strerror(EISDIR));
		line_reader_free(r);
		return NULL;
	}
	return r;
}

struct line_reader *line_reader_open_memory(const char *data, size_t len)
{
	struct line_reader *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	r->buffer = malloc(len + 1);
	if (!r->buffer) {
		free(r);
		return NULL;
	}
	memcpy(r->buffer, data, len);
	r->capacity = len + 1;
	r->end = len;
	r->fd = -1;
	r->eof = true;
	return r;
}

/* Reads more behind END, keeping what is from START on. 0 or -errno. */
static int fill(struct line_reader *r)
{
	ssize_t n;

	if (r->start) {
		memmove(r->buffer, r->buffer + r->start, r->end - r->start);
		r->end -= r->start;
		r->start = r->last = 0;
	}
	if (r->capacity - r->end < CHUNK + 1) {
		size_t capacity = r->capacity * 2 + CHUNK + 1;
		char *buffer = realloc(r->buffer, capacity);

		if (!buffer)
			return -ENOMEM;
		r->buffer = buffer;
		r->capacity = capacity;
	}
	do {
		n = read(r->fd, r->buffer + r->end, r->capacity - r->end - 1);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	r->eof = !n;
	r->end += (size_t)n;
	return 0;
}

int line_reader_next(struct line_reader *r, const char **line, size_t *len)
{
	size_t searched = 0;
	char *newline;
	int rc;

	for (;;) {
		size_t held = r->end - r->start;

		newline = held > searched
			      ? memchr(r->buffer + r->start + searched, '\n', held - searched)
			      : NULL;
		if (newline || r->eof)
			break;
		if (held > LINE_MAX_BYTES)
			return -EFBIG;
		searched = held;
		rc = fill(r);
		if (rc)
			return rc;
	}
	if (r->start == r->end)
		return 0;
	r->ended = newline;
	*line = r->buffer + r->start;
	*len = newline ? (size_t)(newline - *line) : r->end - r->start;
	r->last = r->start;
	r->start += *len + r->ended;
	return *len > LINE_MAX_BYTES ? -EFBIG : 1;
}

bool line_reader_ended(const struct line_reader *r)
{
	return r->ended;
}

void line_reader_unread(struct line_reader *r)
{
	r->start = r->last;
}

int line_reader_rest(struct line_reader *r, size_t max, const char **data, size_t *len)
{
	while (!r->eof) {
		int rc = fill(r);

		if (rc)
			return rc;
		if (r->end - r->start > max)
			return -EFBIG;
	}
	*data = "";
	*len = r->end - r->start;
	if (r->buffer) {
		r->buffer[r->end] = '\0';
		*data = r->buffer + r->start;
	}
	return 0;
}

void line_reader_free(struct line_reader *r)
{
	if (!r)
		return;
	if (r->fd >= 0)
		close(r->fd);
	free(r->buffer);
	free(r);
}
