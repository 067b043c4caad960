// SPDX-License-Identifier: GPL-2.0-or-later
// A library with one function, which is the first of its code.
// link: -shared -Wl,-z,separate-code
// instructions: 3 + 2 * (N1 % 700 + 10)
#include "exact.inc"
#include "function.inc"
function scope_shared
	spin	(N1 % 700 + 10)
	ret
end scope_shared
