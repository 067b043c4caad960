# Layout bias survives repetition: by default every run has a layout of its own; --layout=block turns that off.
abstat stat -r 1 --stdout=out -- cat /proc/self/personality >/dev/null && cat out
abstat stat -r 1 --layout=block --stdout=out -- cat /proc/self/personality >/dev/null && cat out
