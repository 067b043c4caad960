/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does nothing. */
int main(void)
{
	return 0;
}
