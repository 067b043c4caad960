abstat --version | sed 's/[0-9][0-9.]*/N/'
abstat stat --version | sed 's/[0-9][0-9.]*/N/'
abstat --help | head -n 3
