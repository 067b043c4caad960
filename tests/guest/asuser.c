// SPDX-License-Identifier: GPL-2.0-or-later
/* asuser UID COMMAND [ARG...]: runs the command as that user, with no other rights. */
#include <err.h>
#include <grp.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	unsigned int id;

	if (argc < 3)
		errx(2, "usage: asuser UID COMMAND [ARG...]");
	id = (unsigned int)strtoul(argv[1], NULL, 10);
	if (setgroups(0, NULL) || setgid(id) || setuid(id))
		err(127, "becoming user %u", id);
	execv(argv[2], argv + 2);
	err(127, "%s", argv[2]);
}
