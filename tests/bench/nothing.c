/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program that does nothing; linked statically, so that it costs little to start. */
int main(void)
{
	return 0;
}
