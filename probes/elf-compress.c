/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much room the loadable contents take when they are compressed, as kernels are shipped. */
#include "elf-diff.h"

#include <errno.h>
#include <string.h>

/* Else its input could not be constant. */
#define ZLIB_CONST
#include <zlib.h>

enum { OUTPUT_SIZE = 1 << 16, INPUT_SIZE = 1 << 30 };

/* Feeds N bytes and counts what comes out. */
static int feed(z_stream *z, const uint8_t *p, size_t n, int flush)
{
	unsigned char out[OUTPUT_SIZE];

	do {
		size_t part = n < INPUT_SIZE ? n : INPUT_SIZE;

		z->next_in = p;
		z->avail_in = (uInt)part;
		do {
			z->next_out = out;
			z->avail_out = sizeof(out);
			if (deflate(z, flush) == Z_STREAM_ERROR)
				return -1;
		} while (z->avail_out == 0);
		p += part;
		n -= part;
	} while (n);
	return 0;
}

int elf_compressed_size(const struct elf_file *f, uint64_t *size)
{
	static const uint8_t nothing[1];
	z_stream z;
	int r = 0;

	memset(&z, 0, sizeof(z));
	/* 15 bits of window, and gzip's header and trailer. */
	if (deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		return -ENOMEM;
	for (size_t i = 0; i < f->n_by_address && !r; i++) {
		const struct elf_section *s = &f->sections[f->by_address[i]];

		if (s->data)
			r = feed(&z, s->data, s->size, Z_NO_FLUSH);
	}
	if (!r)
		r = feed(&z, nothing, 0, Z_FINISH);
	*size = z.total_out;
	deflateEnd(&z);
	return r ? -ENOMEM : 0;
}
