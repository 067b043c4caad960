# A command that does not exist: the message names those that do.
run abstat frobnicate | sed 's/there are: .*\. See/there are: .... See/'
abstat >out 2>err
echo "status $?: $(wc -c <out), $(head -n 1 err)"
