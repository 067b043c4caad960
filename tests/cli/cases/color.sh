# Colours only where they are wanted.
esc=$(printf '\033')
count() { abstat compare -r 6 -e task-clock "$@" true 'sh -c :' | grep -c "$esc"; }
count
[ "$(count --color=always)" != 0 ] && echo coloured
count --color=never
NO_COLOR=1 count --color=auto
