/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes record files, a run at a time. */
#include "record-write.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "json-out.h"
#include "line-reader.h"
#include "record-encode.h"

struct record_writer {
	int fd;
	bool regular;
	char *path;
	const struct record *record;
	struct json_out line;
	off_t length;   /* of what is whole in the file */
	size_t n_runs;  /* safe in the file */
	size_t n_notes; /* notes that are in the file already */
};

/*
 * write(2) at RLIMIT_FSIZE sends SIGXFSZ, which would kill abstat. Ignoring that signal would be
 * inherited by the workload, so it is held back for the moment.
 */
static ssize_t write_quietly(int fd, const void *data, size_t len)
{
	const struct timespec now = {0, 0};
	sigset_t set, before;
	ssize_t n;
	int saved;

	sigemptyset(&set);
	sigaddset(&set, SIGXFSZ);
	pthread_sigmask(SIG_BLOCK, &set, &before);
	do {
		n = write(fd, data, len);
	} while (n < 0 && errno == EINTR);
	saved = errno;
	if (n < 0 && saved == EFBIG)
		sigtimedwait(&set, NULL, &now);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	errno = saved;
	return n;
}

/* Appends the encoded line whole, or nothing of it. */
static int append(struct record_writer *w, char *err, size_t err_size)
{
	size_t done = 0;
	int error = 0;

	if (w->line.failed) {
		snprintf(err, err_size, "%s: out of memory; the first %zu runs are safe in it",
			 w->path, w->n_runs);
		return -ENOMEM;
	}
	while (done < w->line.len) {
		ssize_t n = write_quietly(w->fd, w->line.data + done, w->line.len - done);

		if (n <= 0) {
			error = n < 0 ? errno : EIO;
			break;
		}
		done += (size_t)n;
	}
	if (!error) {
		w->length += (off_t)done;
		return 0;
	}
	if (w->regular && ftruncate(w->fd, w->length))
		error = errno;
	snprintf(err, err_size, "cannot write to %s: %s; %s%zu run%s safe in it", w->path,
		 strerror(error), w->n_runs ? "the first " : "", w->n_runs,
		 w->n_runs == 1 ? " is" : "s are");
	return -error;
}

static struct record_writer *writer_new(const char *path, int fd, const struct record *record)
{
	struct record_writer *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	w->fd = fd;
	w->record = record;
	w->path = strdup(path);
	json_out_init(&w->line);
	if (!w->path) {
		free(w);
		return NULL;
	}
	return w;
}

/*
 * Locks the file for this process. Unlike flock(2)'s, the lock is not shared by children, which may
 * outlive an abstat that was killed; and it is lost when this process closes any descriptor of the
 * file. True if another process has it.
 */
static bool is_locked(int fd)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

	return fcntl(fd, F_SETLK, &lock) && (errno == EACCES || errno == EAGAIN);
}

/* Opens PATH for appending, alone. -1 with a message. */
static int open_alone(const char *path, int flags, struct stat *st, char *err, size_t err_size)
{
	int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY | flags, 0666);

	if (fd < 0 || fstat(fd, st)) {
		snprintf(err, err_size, "cannot write to %s: %s", path, strerror(errno));
	} else if (S_ISREG(st->st_mode) && is_locked(fd)) {
		snprintf(err, err_size, "%s: another abstat is writing to it", path);
	} else {
		return fd;
	}
	if (fd >= 0)
		close(fd);
	return -1;
}

struct record_writer *record_writer_open(const char *path, bool force, const struct record *record,
					 char *err, size_t err_size)
{
	struct record_writer *w;
	struct stat st;
	int fd = open_alone(path, O_CREAT, &st, err, err_size);

	if (fd < 0)
		return NULL;
	if (S_ISREG(st.st_mode) && st.st_size && !force) {
		snprintf(
		    err, err_size,
		    "%s holds something already: --force replaces it, --resume goes on with an "
		    "interrupted comparison",
		    path);
		close(fd);
		return NULL;
	}
	if (S_ISREG(st.st_mode) && st.st_size && ftruncate(fd, 0)) {
		snprintf(err, err_size, "cannot empty %s: %s", path, strerror(errno));
		close(fd);
		return NULL;
	}
	w = writer_new(path, fd, record);
	if (!w) {
		snprintf(err, err_size, "%s: out of memory", path);
		close(fd);
		return NULL;
	}
	w->regular = S_ISREG(st.st_mode);
	w->n_notes = record->n_notes;
	record_encode_header(&w->line, record, record->n_notes);
	if (append(w, err, err_size)) {
		record_writer_free(w);
		return NULL;
	}
	return w;
}

static bool is_json(const char *line, size_t len)
{
	json_error_t error;
	json_t *value = json_loadb(line, len, 0, &error);

	json_decref(value);
	return value;
}

/* What there is to go on after. */
struct resumable {
	off_t length;     /* of its whole lines, without a closing one */
	size_t n_runs;    /* in them */
	bool newline;     /* the last of them lacks its end */
	bool interrupted; /* no closing line says that it ended otherwise */
};

static bool begins_with(const char *line, size_t len, const char *word)
{
	size_t n = strlen(word);

	return len > n && !memcmp(line, word, n);
}

static int find_resumable(struct resumable *found, const char *path, char *err, size_t err_size)
{
	static const char interrupted[] = "\"stopped\":\"interrupt\"";
	struct line_reader *reader = line_reader_open(path, err, err_size);
	const char *line;
	size_t len;
	int rc;

	*found = (struct resumable){.interrupted = true};
	if (!reader)
		return -1;
	while ((rc = line_reader_next(reader, &line, &len)) > 0) {
		bool ended = line_reader_ended(reader);

		if (begins_with(line, len, "{\"end\":")) {
			found->interrupted =
			    !ended || memmem(line, len, interrupted, sizeof(interrupted) - 1);
			break;
		}
		if (!ended && !is_json(line, len))
			break;
		found->newline = !ended;
		found->length += (off_t)len + ended;
		found->n_runs += begins_with(line, len, "{\"block\":");
	}
	if (rc < 0)
		snprintf(err, err_size, "cannot read %s: %s", path, strerror(-rc));
	line_reader_free(reader);
	return rc < 0 ? -1 : 0;
}

struct record_writer *record_writer_resume(const char *path, const struct record *record,
					   uint64_t now_ns, int64_t discarded, char *err,
					   size_t err_size)
{
	struct record_writer *w = NULL;
	struct resumable found;
	struct stat st;
	int fd = open_alone(path, 0, &st, err, err_size);

	if (fd < 0)
		return NULL;
	/* RECORD was read before the file was locked, and the lock is lost when it is read again.
	 */
	if (find_resumable(&found, path, err, err_size) == 0) {
		if (is_locked(fd) || found.n_runs != record->n_runs || !found.interrupted)
			snprintf(err, err_size,
				 "%s: another abstat went on with it meanwhile, and nothing was "
				 "added to it",
				 path);
		else if (ftruncate(fd, found.length))
			snprintf(err, err_size, "cannot shorten %s: %s", path, strerror(errno));
		else if (!(w = writer_new(path, fd, record)))
			snprintf(err, err_size, "%s: out of memory", path);
	}
	if (!w) {
		close(fd);
		return NULL;
	}
	w->regular = S_ISREG(st.st_mode);
	w->length = found.length;
	w->n_runs = record->n_runs;
	w->n_notes = record->n_notes;
	if (found.newline)
		json_out_newline(&w->line);
	record_encode_resumed(&w->line, record->machine.boot_id, now_ns, discarded);
	if (append(w, err, err_size)) {
		record_writer_free(w);
		return NULL;
	}
	return w;
}

int record_writer_plan(struct record_writer *w, char *err, size_t err_size)
{
	json_out_clear(&w->line);
	record_encode_plan(&w->line, w->record);
	return append(w, err, err_size);
}

int record_writer_run(struct record_writer *w, const struct record_run *run,
		      const struct reading *readings, char *err, size_t err_size)
{
	int rc;

	json_out_clear(&w->line);
	record_encode_run(&w->line, w->record, run, readings);
	rc = append(w, err, err_size);
	if (!rc)
		w->n_runs++;
	return rc;
}

int record_writer_close(struct record_writer *w, char *err, size_t err_size)
{
	int rc;

	json_out_clear(&w->line);
	record_encode_end(&w->line, w->record, w->n_runs, w->n_notes);
	rc = append(w, err, err_size);
	/* A full disk may show only now. */
	if (!rc && w->regular && fsync(w->fd)) {
		rc = -errno;
		snprintf(err, err_size, "cannot write to %s: %s; what it holds may not be whole",
			 w->path, strerror(errno));
	}
	record_writer_free(w);
	return rc;
}

void record_writer_free(struct record_writer *w)
{
	if (!w)
		return;
	close(w->fd);
	free(w->path);
	json_out_release(&w->line);
	free(w);
}

int record_write_whole(int fd, const struct record *record)
{
	struct record_writer w = {.fd = fd, .record = record, .path = (char *)"the record"};
	bool planned = false;
	char err[256];
	int rc;

	record_encode_header(&w.line, record, record->n_header_notes);
	rc = append(&w, err, sizeof(err));
	for (size_t i = 0; i < record->n_runs && !rc; i++) {
		if (!planned && !record->runs[i].warmup) {
			rc = record_writer_plan(&w, err, sizeof(err));
			planned = true;
		}
		if (!rc)
			rc = record_writer_run(&w, &record->runs[i],
					       record->readings + i * record->metrics.n, err,
					       sizeof(err));
	}
	if (!rc && record->complete) {
		json_out_clear(&w.line);
		record_encode_end(&w.line, record, record->n_runs, record->n_header_notes);
		rc = append(&w, err, sizeof(err));
	}
	json_out_release(&w.line);
	return rc;
}
