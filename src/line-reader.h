/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads a file or a stream line by line, in constant memory, with a limit on a line's length. */
#ifndef ABSTAT_LINE_READER_H
#define ABSTAT_LINE_READER_H

#include <stdbool.h>
#include <stddef.h>

struct line_reader;

enum { LINE_MAX_BYTES = 64 << 20 };

/* Opens PATH; "-" is standard input. NULL with a message in ERR. */
struct line_reader *line_reader_open(const char *path, char *err, size_t err_size);

/* Reads from LEN bytes at DATA, which must live as long. NULL if out of memory. */
struct line_reader *line_reader_open_memory(const char *data, size_t len);

/*
 * The next line without its '\n', valid until the next call. 1; 0 at the end; -EFBIG for a line of
 * more than LINE_MAX_BYTES; -EIO and others from read(2).
 */
int line_reader_next(struct line_reader *r, const char **line, size_t *len);

/* True if the line that line_reader_next() gave last ended in '\n'. */
bool line_reader_ended(const struct line_reader *r);

/*
 * All that has not been given out yet, NUL-terminated and valid until the reader is freed. 0,
 * -EFBIG for more than MAX bytes, or another error. Nothing may be read afterwards.
 */
int line_reader_rest(struct line_reader *r, size_t max, const char **data, size_t *len);

/* Makes line_reader_next() give the last line again. */
void line_reader_unread(struct line_reader *r);

void line_reader_free(struct line_reader *r);

#endif
