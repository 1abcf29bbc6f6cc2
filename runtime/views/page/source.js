// Source beside machine code, with what warps wait for at each line and instruction.
"use strict";

function topWaits(cycles, whole) {
  return Object.entries(cycles || {}).filter(([s, v]) => s !== "selected" && v >= 0.005 * whole).sort((a, b) => b[1] - a[1])
    .slice(0, 2).map(([s, v]) => `${s} ${percent(v / whole, 0)}`).join(", ");
}
const heat = (share, most) => (share > 0.002 ? `--h:${Math.min(0.34, 0.04 + 0.3 * share / most).toFixed(3)}` : undefined);
const head = (...names) => el("thead", {}, el("tr", {}, names.map((n) => el("th", { class: n.startsWith("#") ? "n" : undefined }, n.replace(/^#(?=.)/, "")))));
const listing = (...rows) => el("div", { class: "listing" }, el("table", {}, rows));

function sourceListing(r, samples, whole) {
  const most = Math.max(...samples.map((l) => l.warp_cycles)) / whole || 1;
  const byPlace = new Map(samples.map((l) => [`${l.file}:${l.line}`, l]));
  return (r.sources || []).map((part) => el("div", {}, el("h3", {}, fileName(part.file)), listing(
    head("#share", "states", "#warp inst", "#line", "source", "waits"),
    el("tbody", {}, part.lines.map((text, i) => {
      const number = part.first_line + i, l = byPlace.get(`${part.file}:${number}`);
      const share = l ? l.warp_cycles / whole : 0;
      return el("tr", { class: l && share > 0.002 ? "hot" : undefined, style: l ? heat(share, most) : undefined, "data-place": l ? `${fileName(part.file)}:${number}` : undefined },
        el("td", { class: "n" }, l ? percent(share) : ""), el("td", { class: "mini-cell" }, l ? strip(l.cycles, most * whole, "mini") : ""),
        el("td", { class: "n" }, l ? count(l.warp_instructions) : ""), el("td", { class: "n faint" }, number),
        el("td", { class: "code" }, text || " "), el("td", { class: "waits" }, l ? topWaits(l.cycles, whole) : ""));
    })))));
}

function instructionListing(r, whole) {
  const list = r.instructions || [];
  if (!list.length) return null;
  const cycles = list.map((i) => Object.values(i.cycles || {}).reduce((a, b) => a + b, 0));
  const most = Math.max(...cycles) / whole || 1;
  return el("div", {}, el("h3", {}, `Machine code: ${list.length} instructions, level ${(r.code || {}).level || "?"}`), listing(
    head("#share", "states", "#issued", "##", "instruction", "waits", "line"),
    el("tbody", {}, list.map((inst, i) => el("tr", {
      class: [cycles[i] / whole > 0.002 ? "hot" : "", i && inst.block !== list[i - 1].block ? "block" : ""].join(" ").trim() || undefined,
      style: heat(cycles[i] / whole, most), "data-place": inst.place || undefined },
      el("td", { class: "n" }, percent(cycles[i] / whole)), el("td", { class: "mini-cell" }, strip(inst.cycles || {}, most * whole, "mini")),
      el("td", { class: "n" }, count(inst.warp_instructions)), el("td", { class: "n faint" }, i),
      el("td", { class: "code" }, inst.text || inst.opcode), el("td", { class: "waits" }, topWaits(inst.cycles, whole)),
      el("td", { class: "waits" }, inst.place || ""))))));
}

/// A click on a line of either side marks what belongs to it and shows it on the other side.
function linkSides(section) {
  section.addEventListener("click", (event) => {
    const row = event.target.closest("tr[data-place]");
    if (!row) return;
    const own = row.closest(".listing"), seen = new Set([own]);
    for (const other of section.querySelectorAll("tr[data-place]")) {
      const isPicked = other.getAttribute("data-place") === row.getAttribute("data-place");
      other.classList.toggle("picked", isPicked);
      const box = other.closest(".listing");
      if (!isPicked || seen.has(box)) continue;
      seen.add(box);
      box.scrollTop = other.offsetTop - box.clientHeight / 3;
    }
  });
}

function sourceSection(r, id) {
  const samples = r.source_lines || [];
  if (!samples.length) return null;
  const whole = samples.reduce((sum, l) => sum + l.warp_cycles, 0) || 1;
  const parts = sourceListing(r, samples, whole);
  const without = samples.filter((l) => !l.line && l.warp_cycles);
  const section = card(id, "Source and machine code", "Share of warp cycles at each line and instruction; the strip shows the states. A click on either marks what belongs to it on the other side.",
    el("div", { class: "sides" },
      el("div", {}, parts.length ? parts : el("p", {}, "The source was not at hand when the result was written.")), instructionListing(r, whole)),
    without.length ? el("p", { class: "lead" }, `Instructions without a line: ${percent(without.reduce((sum, l) => sum + l.warp_cycles, 0) / whole)} of warp cycles.`) : null);
  section.classList.add("long");
  linkSides(section);
  return section;
}
