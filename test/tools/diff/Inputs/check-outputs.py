"""Checks the JSON, JUnit and SARIF of `heddle diff`.

usage: check-outputs.py JSON JUNIT SARIF REGRESSED"""

import json
import sys
import xml.etree.ElementTree as xml

regressed = int(sys.argv[4])
diff = json.load(open(sys.argv[1], encoding="utf-8"))
assert diff["regressed"] == bool(regressed) and diff["fail_over"] == 0.03
entry = diff["results"][0]
assert entry["kernel"] == "reduction" and entry["numbers"]["cycles"]["after"] == entry["after"]
assert (entry["change"] > 0.03) == bool(regressed)
# Lines share out the whole: what they gained is no more than what the kernel gained.
assert sum(line["after"] for line in entry["lines"]) <= entry["after"] * 1.0001

suites = xml.parse(sys.argv[2]).getroot()
assert suites.get("tests") == "1" and suites.get("failures") == str(regressed)
case = suites.find("testsuite/testcase")
assert case.get("name").startswith("reduction on v100")
assert (case.find("failure") is not None) == bool(regressed)

sarif = json.load(open(sys.argv[3], encoding="utf-8"))
assert sarif["version"] == "2.1.0" and len(sarif["runs"]) == 1
run = sarif["runs"][0]
assert run["tool"]["driver"]["name"] == "heddle"
rules = {rule["id"] for rule in run["tool"]["driver"]["rules"]}
assert bool(run["results"]) == bool(regressed)
for result in run["results"]:
    assert result["ruleId"] in rules and result["level"] in ("error", "warning")
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"].endswith("reduction.cu")
    assert place["region"]["startLine"] >= 1
    assert result["message"]["text"]
if regressed:
    assert {r["ruleId"] for r in run["results"]} == rules
