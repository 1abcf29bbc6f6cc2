# Runs every recipe in a folder of its own and compares its database with that of one process.
# usage: recipes.sh FOLDER INPUTS PAGE PYTHON
set -e
cd "$1"
export PATH=$2/bin:$PATH
run() { (cd "$1" && "$python" "$inputs/recipe.py" "$page" "$1" >>out 2>&1) || { cat "$1/out"; exit 1; }; }
inputs=$2 page=$3 python=$4
for name in one slurm parallel mpi kubernetes; do
  mkdir $name
  cp sweep.yaml $name
done
heddle sweep one/sweep.yaml -o one/results.db -q
run slurm
run parallel
run mpi
for i in 0 1 2 3; do JOB_COMPLETION_INDEX=$i run kubernetes; done
heddle sweep merge kubernetes/part-*.db -o kubernetes/results.db -q
for name in one slurm parallel mpi kubernetes; do
  "$python" "$inputs/dump.py" $name/results.db >$name.txt
done
for name in slurm parallel mpi kubernetes; do cmp one.txt $name.txt; done
