# Odd paths; every line is what one command said or how it ended.
# usage: paths.sh FOLDER KERNEL-FOLDER HEDDLE
cd "$1" || exit
heddle=$3
odd=$(printf 'd\xff\xfe')
mkdir "$odd"
cp "$2"/reduction.cu "$2"/reduction.yaml "$odd"
kernel=("$odd/reduction.cu" --launch "$odd/reduction.yaml")
said() { "$@" 2>&1 | grep -a -o 'error: .*'; }

"$heddle" simulate "${kernel[@]}" --json "$odd/r.json" -q; echo "simulate: $?"
"$heddle" report "$odd/r.json" -o "$odd/r.html"; echo "report: $?"
"$heddle" trace "${kernel[@]}" -o "$odd/t" -q; echo "trace: $?"
"$heddle" sweep --input "$odd/reduction.cu" --launch "$odd/reduction.yaml" --vary set.sm.count=10,20 -o "$odd/s.db" -q
echo "sweep: $?"
"$heddle" kernels "$odd/reduction.cu" --json "$odd/k.json" -q; echo "kernels: $?"
grep -a -m 1 '"file"' "$odd/r.json"

kernel=("$2/reduction.cu" --launch "$2/reduction.yaml")
said "$heddle" simulate "${kernel[@]}" --json nodir/x.json
said "$heddle" sweep --input "$2/reduction.cu" --launch "$2/reduction.yaml" --vary set.sm.count=1,2 -o x.db --csv nodir/x.csv
said "$heddle" estimate "${kernel[@]}" --json .
mkfifo pipe
said "$heddle" simulate pipe --launch "$2/reduction.yaml"
said "$heddle" report pipe -o x.html
said "$heddle" simulate - --launch "$2/reduction.yaml"
cat "$2/reduction.yaml" >pipe &
"$heddle" simulate "$2/reduction.cu" --launch pipe -q; echo "launch from a pipe: $?"
cat pipe >copy &
"$heddle" simulate "${kernel[@]}" -q --json pipe; echo "result into a pipe: $?"
mkdir gone
cd gone || exit
rmdir ../gone
said "$heddle" simulate "${kernel[@]}"
cd ..
"$heddle" simulate "${kernel[@]}" --json /dev/full 2>full | head -1
grep -o 'error: /dev/full: write failed' full
