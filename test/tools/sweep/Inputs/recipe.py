"""Runs a recipe of docs/HowTo/RunOnACluster.md as it stands there.

usage: recipe.py PAGE NAME"""

import re
import subprocess
import sys

page = open(sys.argv[1], encoding="utf-8").read()
recipe = re.search(rf"<!-- recipe: {sys.argv[2]} -->\n```sh\n(.*?)```", page, re.S)[1]
sys.exit(subprocess.run(["bash", "-ec", recipe]).returncode)
