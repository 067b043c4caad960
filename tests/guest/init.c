// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The guest's first process: mounts what the tests need, runs one command on the console, powers
 * the machine off. It does that whatever becomes of the command, so that a boot always ends.
 *
 * The kernel hands over its command line's unknown words as arguments; what follows "guest" is
 * the command.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct {
	const char *type;
	const char *where;
	const char *options;
} mounts[] = {
	{"proc", "/proc", NULL},
	{"sysfs", "/sys", NULL},
	{"devtmpfs", "/dev", NULL},
	{"tmpfs", "/dev/shm", "mode=1777"},
	{"tmpfs", "/tmp", "mode=1777"},
	{"tracefs", "/sys/kernel/tracing", NULL},
};

static void mount_all(void)
{
	for (size_t i = 0; i < sizeof(mounts) / sizeof(mounts[0]); i++) {
		mkdir(mounts[i].where, 0755);
		if (mount(mounts[i].type, mounts[i].where, mounts[i].type, 0, mounts[i].options))
			printf("# init: mounting %s: %s\n", mounts[i].where, strerror(errno));
	}
}

/* Makes the console the three standard streams, and the terminal of a session of its own. */
static void take_console(void)
{
	int fd = open("/dev/console", O_RDWR);

	if (fd < 0)
		return;
	for (int i = 0; i < 3; i++)
		dup2(fd, i);
	if (fd > 2)
		close(fd);
}

int main(int argc, char **argv)
{
	int first = 1;
	int status = 0;
	pid_t pid;

	mount_all();
	take_console();
	setvbuf(stdout, NULL, _IONBF, 0);
	while (first < argc && strcmp(argv[first], "guest"))
		first++;
	if (first + 1 >= argc) {
		printf("# init: no command after 'guest' on the kernel's command line\n");
	} else if ((pid = fork()) == 0) {
		setsid();
		execv(argv[first + 1], argv + first + 1);
		printf("# init: %s: %s\n", argv[first + 1], strerror(errno));
		_exit(127);
	} else {
		/* Orphans come here too: reap them all, until the command itself has ended. */
		pid_t ended;

		while ((ended = wait(&status)) != pid && (ended >= 0 || errno == EINTR))
			continue;
		printf("# init: the command ended with status %d\n",
		       WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
	}
	sync();
	reboot(RB_POWER_OFF);
	return 1;
}
