/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a report goes. */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
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

/* What is printed, and how. */
struct page {
	output_renderer *render;
	const void *what;
	const struct output_options *options;
};

static int render_to(const struct page *page, FILE *out)
{
	struct render_options options = render_options_for(page->options, fileno(out));

	return page->render(page->what, &options, out);
}

static int fail(const char *path, int error, char *err, size_t err_size)
{
	snprintf(err, err_size, "cannot write the report to %s: %s", path, strerror(error));
	return -error;
}

/* The open descriptor that PATH means, or -1: written to where it stands, its file is never replaced. */
static int descriptor_of(const char *path)
{
	static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
	char *end;

	if (strcmp(path, "/dev/stdout") == 0)
		return STDOUT_FILENO;
	if (strcmp(path, "/dev/stderr") == 0)
		return STDERR_FILENO;
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		size_t len = strlen(folders[i]);

		if (strncmp(path, folders[i], len) || path[len] < '0' || path[len] > '9')
			continue;
		unsigned long fd = strtoul(path + len, &end, 10);

		return *end || fd > INT_MAX ? -1 : (int)fd;
	}
	return -1;
}

static int write_descriptor(const struct page *page, int fd, char *err, size_t err_size)
{
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	FILE *out = copy < 0 ? NULL : fdopen(copy, "w");
	int r = out ? render_to(page, out) : -errno;

	if (out && fclose(out) && !r)
		r = -errno;
	if (!out && copy >= 0)
		close(copy);
	return r ? fail(page->options->path, -r, err, err_size) : 0;
}

/* A device or a pipe cannot be replaced, only written to. */
static int write_straight(const struct page *page, char *err, size_t err_size)
{
	const char *path = page->options->path;
	FILE *out = fopen(path, "we");

	if (!out)
		return fail(path, errno, err, err_size);
	int r = render_to(page, out);

	if (fclose(out) && !r)
		r = -errno;
	return r ? fail(path, -r, err, err_size) : 0;
}

/* PATH is the file itself: a symbolic link would be replaced, not what it points to. */
static int write_whole(const struct page *page, const char *path, mode_t mode, char *err, size_t err_size)
{
	char *temporary;

	if (asprintf(&temporary, "%s.XXXXXX", path) < 0)
		return fail(path, ENOMEM, err, err_size);
	int fd = mkostemp(temporary, O_CLOEXEC);
	FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
	int r = out ? 0 : -errno;

	if (!r && fchmod(fd, mode))
		r = -errno;
	if (!r)
		r = render_to(page, out);
	if (!r && (fflush(out) || fsync(fd)))
		r = -errno;
	if (out && fclose(out) && !r)
		r = -errno;
	if (!out && fd >= 0)
		close(fd);
	if (!r && rename(temporary, path))
		r = -errno;
	if (r && fd >= 0)
		unlink(temporary);
	free(temporary);
	return r ? fail(path, -r, err, err_size) : 0;
}

int output_write(output_renderer *render, const void *what, const struct output_options *options,
		 char *err, size_t err_size)
{
	struct page page = {render, what, options};
	struct stat st;

	if (!options->path) {
		int r = render_to(&page, stdout);

		return r ? fail("the standard output", -r, err, err_size) : 0;
	}

	int fd = descriptor_of(options->path);

	if (fd >= 0)
		return write_descriptor(&page, fd, err, err_size);
	if (stat(options->path, &st) == 0) {
		if (!S_ISREG(st.st_mode))
			return write_straight(&page, err, err_size);
		char *path = realpath(options->path, NULL);
		int r = path ? write_whole(&page, path, st.st_mode & 07777, err, err_size)
			     : fail(options->path, errno, err, err_size);

		free(path);
		return r;
	}
	mode_t mask = umask(0);

	umask(mask);
	return write_whole(&page, options->path, 0666 & ~mask, err, err_size);
}

int output_check(const struct output_options *options, char *err, size_t err_size)
{
	const char *path = options->path;
	struct stat st;

	if (!path || descriptor_of(path) >= 0)
		return 0;
	bool there = stat(path, &st) == 0;

	if (there && S_ISDIR(st.st_mode))
		return fail(path, EISDIR, err, err_size);
	if (there && !S_ISREG(st.st_mode))
		return access(path, W_OK) ? fail(path, errno, err, err_size) : 0;

	/* A temporary file is made beside the file itself, and takes its place. */
	char *file = there ? realpath(path, NULL) : strdup(path);
	int error = !file || access(dirname(file), W_OK | X_OK) ? errno : 0;

	free(file);
	return error ? fail(path, error, err, err_size) : 0;
}

struct formatted {
	const struct renderer *renderer;
	const struct report *report;
};

static int render_report(const void *what, const struct render_options *options, FILE *out)
{
	const struct formatted *f = what;

	return f->renderer->render(f->report, options, out);
}

int output_report(const struct report *report, const struct output_options *options, char *err,
		  size_t err_size)
{
	struct formatted f = {renderer_find(options->format), report};

	return output_write(render_report, &f, options, err, err_size);
}

void output_failure(const struct record *record, const struct output_options *options, int status,
		    const char *message)
{
	struct report report;
	char ignored[200]; /* the failure that is reported has a message already */

	if (strcmp(options->format, "json"))
		return;
	report_init(&report);
	report.record = record;
	report.status = status;
	report.error = strdup(message);
	output_report(&report, options, ignored, sizeof(ignored));
	report_release(&report);
}

void output_message(const char *text)
{
	unsigned flags = TEXT_LINES | (text_locale_is_utf8() ? TEXT_UTF8 : 0);

	fflush(stdout);
	fputs("abstat: ", stderr);
	text_put(stderr, text, flags);
	fputc('\n', stderr);
}
