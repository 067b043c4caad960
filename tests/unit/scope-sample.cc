/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of C++. */
#include <cstdio>

namespace shapes
{
struct Point {
	int x, y;
	__attribute__((noinline)) Point operator/(int n) const;
	__attribute__((noinline)) bool operator<(const Point &o) const;
};

Point Point::operator/(int n) const
{
	return Point{x / n, y / n};
}

bool Point::operator<(const Point &o) const
{
	return x < o.x;
}

__attribute__((noinline)) int area(const Point &p)
{
	return p.x * p.y;
}

__attribute__((noinline)) int area(const Point &p, int scale)
{
	return p.x * p.y * scale;
}

__attribute__((noinline)) int root(int n)
{
	if (n < 0)
		throw n;
	return n / 2;
}

template <typename T> __attribute__((noinline)) T largest(T a, T b)
{
	return a < b ? b : a;
}
} // namespace shapes

int main(int argc, char **)
{
	shapes::Point p = shapes::Point{argc * 12, 7} / argc;

	std::printf("%d %d %d %d %d\n", shapes::root(argc), area(p), area(p, 3), p < shapes::Point{1, 1},
		    shapes::largest(p.x, p.y));
	return 0;
}
