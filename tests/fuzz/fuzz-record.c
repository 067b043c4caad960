/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reader of record files. What it takes must be written and read again the same. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "record-read.h"
#include "record-write.h"

static int read_record(struct record *r, const char *data, size_t size)
{
	struct line_reader *lines = line_reader_open_memory(data, size);
	char err[300];
	int rc;

	record_init(r);
	rc = lines ? record_read(lines, "FILE", r, err, sizeof(err)) : -1;
	line_reader_free(lines);
	return rc;
}

/* Writes R to a new file in memory. The caller frees *DATA. */
static size_t write_record(const struct record *r, char **data)
{
	int fd = memfd_create("record", MFD_CLOEXEC);
	off_t size;

	if (fd < 0 || record_write_whole(fd, r))
		abort();
	size = lseek(fd, 0, SEEK_CUR);
	*data = malloc((size_t)size + 1);
	if (size < 0 || !*data || pread(fd, *data, (size_t)size, 0) != size)
		abort();
	close(fd);
	return (size_t)size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct record first, second;
	char *once, *twice;
	size_t n_once, n_twice;

	if (read_record(&first, (const char *)data, size) == 0) {
		n_once = write_record(&first, &once);
		if (read_record(&second, once, n_once))
			abort();
		if (second.n_runs != first.n_runs || second.complete != first.complete)
			abort();
		n_twice = write_record(&second, &twice);
		if (n_once != n_twice || memcmp(once, twice, n_once) != 0)
			abort();
		free(once);
		free(twice);
		record_release(&second);
	}
	record_release(&first);
	return 0;
}
