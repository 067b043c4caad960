/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a report goes. */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "render.h"
#include "text.h"

static struct render_options render_options_for(const struct output_options *o, int fd)
{
	const char *no_color = getenv("NO_COLOR");
	const char *term = getenv("TERM");
	bool terminal = isatty(fd);
	struct winsize size = {0};

	if (terminal && ioctl(fd, TIOCGWINSZ, &size))
		size.ws_col = 0;
	return (struct render_options){
		.color = o->color == COLOR_ALWAYS ||
			 (o->color == COLOR_AUTO && terminal && !(no_color && *no_color) && term &&
			  strcmp(term, "dumb")),
		.utf8 = text_locale_is_utf8(),
		.width = terminal ? (size.ws_col ? size.ws_col : 80) : 0,
		.separator = o->separator,
		.verbose = o->verbose > 0,
	};
}

static int render_to(const struct report *report, const struct output_options *o, FILE *out)
{
	struct render_options options = render_options_for(o, fileno(out));

	return renderer_find(o->format)->render(report, &options, out);
}

static int fail(const char *path, int error, char *err, size_t err_size)
{
	snprintf(err, err_size, "cannot write the report to %s: %s", path, strerror(error));
	return -error;
}

/* A device or a pipe cannot be replaced, only written to. */
static int write_straight(const struct report *report, const struct output_options *o, char *err,
			  size_t err_size)
{
	FILE *out = fopen(o->path, "we");

	if (!out)
		return fail(o->path, errno, err, err_size);
	int r = render_to(report, o, out);

	if (fclose(out) && !r)
		r = -errno;
	return r ? fail(o->path, -r, err, err_size) : 0;
}

static int write_whole(const struct report *report, const struct output_options *o, mode_t mode,
		       char *err, size_t err_size)
{
	char *temporary;

	if (asprintf(&temporary, "%s.XXXXXX", o->path) < 0)
		return fail(o->path, ENOMEM, err, err_size);
	int fd = mkostemp(temporary, O_CLOEXEC);
	FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
	int r = out ? 0 : -errno;

	if (!r && fchmod(fd, mode))
		r = -errno;
	if (!r)
		r = render_to(report, o, out);
	if (!r && fsync(fd))
		r = -errno;
	if (out && fclose(out) && !r)
		r = -errno;
	if (!r && rename(temporary, o->path))
		r = -errno;
	if (r && fd >= 0)
		unlink(temporary);
	free(temporary);
	return r ? fail(o->path, -r, err, err_size) : 0;
}

int output_report(const struct report *report, const struct output_options *options, char *err,
		  size_t err_size)
{
	struct stat st;

	if (!options->path) {
		int r = render_to(report, options, stdout);

		return r ? fail("the standard output", -r, err, err_size) : 0;
	}
	if (stat(options->path, &st) == 0) {
		if (!S_ISREG(st.st_mode))
			return write_straight(report, options, err, err_size);
		return write_whole(report, options, st.st_mode & 07777, err, err_size);
	}
	mode_t mask = umask(0);

	umask(mask);
	return write_whole(report, options, 0666 & ~mask, err, err_size);
}

void output_message(const char *text)
{
	unsigned flags = TEXT_LINES | (text_locale_is_utf8() ? TEXT_UTF8 : 0);

	fflush(stdout);
	fputs("abstat: ", stderr);
	text_put(stderr, text, flags);
	fputc('\n', stderr);
}
