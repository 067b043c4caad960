# What cannot be written is known before an hour is spent on measuring.
run abstat stat -r 2 --null -o none/report -- touch ran
run abstat stat -r 2 --null -o . -- touch ran
ls
# A file that is open already is written to where it stands, and not replaced.
echo precious >log
abstat stat -r 2 --null -o /dev/stdout -- true >>log
abstat stat -r 2 --null -o /dev/fd/3 -- true 3>>log
head -n 1 log
grep -c elapsed log
# A limit on the size of files ends the measurement, and does not kill abstat; the command has its own signal.
(ulimit -f 16 && run abstat stat -r 200 --null --save=record -- true) | sed 's/first [0-9]* runs are/first N runs are/'
(ulimit -f 4 && abstat stat -r 2 --null --stdout=big -- head -c 1000000 /dev/zero 2>&1) | head -n 1
# A record that was cut short is read as far as it goes, and that is no error.
abstat stat -r 5 --null --save=whole -- true >/dev/null
head -c -150 whole | head -c -150 >cut
abstat report cut 2>err | grep -o 'is cut short in line'
cat err
# Help that could not be written is an error, told once.
for command in --help 'stat --help' 'diff --usage' 'stat -r 1 --null -- true' list; do
	abstat $command >/dev/full 2>err
	echo "status $? $(grep -c '' err)"
done
