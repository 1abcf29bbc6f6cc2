// Puts the page together: the comparison of several results, then each result.
"use strict";

/// The name of the file, and the machine with it where that is a what-if.
const label = (r, i) => (data.names[i] && !(r.machine && r.machine.what_if) ? data.names[i] : `${data.names[i] || r.kernel} on ${r.gpu}`);

/// Metrics of a comparison: name, value, form, and whether less is better.
const metrics = [
  ["Time (µs)", (r) => r.time_us, (v) => fixed(v, 2), true],
  ["Cycles", (r) => r.cycles, count, true],
  ["Warp instructions", (r) => r.warp_instructions, count, true],
  ["Instructions per cycle", (r) => r.ipc, (v) => fixed(v, 2), false],
  ["Occupancy achieved", (r) => r.occupancy && r.occupancy.achieved, percent, false],
  ["L1 hits", (r) => r.l1 && r.l1.accesses ? r.l1.hits / r.l1.accesses : undefined, percent, false],
  ["L2 hits", (r) => r.l2 && r.l2.accesses ? r.l2.hits / r.l2.accesses : undefined, percent, false],
  ["DRAM bytes", (r) => r.dram && r.dram.read_bytes !== undefined ? r.dram.read_bytes + r.dram.write_bytes : undefined, bytes, true],
  ["DRAM busy", (r) => r.dram && r.dram.utilization, percent, null],
  ["Cycles per instruction of a warp", (r) => r.cpi_stack && Object.values(r.cpi_stack).reduce((a, b) => a + (typeof b === "number" ? b : 0), 0), (v) => fixed(v, 2), true],
];

function comparison(results) {
  if (results.length < 2 || results.some((r) => r.behavior)) return null;
  const first = results[0];
  const sameKernel = results.every((r) => r.kernel === first.kernel);
  const stopped = results.filter((r) => r.truncated || r.interrupted), allWhole = !stopped.length;
  const change = (base, v, less) => {
    if (!allWhole || typeof base !== "number" || typeof v !== "number" || !base) return "";
    const part = v / base - 1;
    const text = `${part >= 0 ? "+" : "−"}${fixed(Math.abs(100 * part), 1)} %`;
    const better = less === null || !sameKernel || !allWhole || Math.abs(part) < 0.0005 ? "" : (part < 0) === less ? "better" : "worse";
    return el("span", { class: better }, text);
  };
  const rows = metrics.filter(([, get]) => results.some((r) => typeof get(r) === "number")).map(([name, get, form, less]) =>
    [name, ...results.flatMap((r, i) => (i ? [form(get(r)), change(get(first), get(r), less)] : [form(get(r))]))]);
  const columns = ["", ...results.flatMap((r, i) => (i ? ["#" + label(r, i), "#Change"] : ["#" + label(r, i)]))];
  const stacks = results.map((r) => r.cpi_stack || {});
  const states = [...new Set(stacks.flatMap((s) => Object.keys(s)))].filter((s) => stacks.some((x) => x[s] > 0))
    .sort((a, b) => Math.max(...stacks.map((x) => x[b] || 0)) - Math.max(...stacks.map((x) => x[a] || 0)));
  return el("article", { class: "result", id: "comparison" },
    el("div", { class: "title" }, el("h1", {}, "Comparison"), el("span", { class: "on" }, `of ${results.length} results, against the first`)),
    card("metrics", "Numbers", [sameKernel ? "" : "These are results of different kernels: side by side, but neither better nor worse.", allWhole ? "" : `Stopped early, so that nothing is compared: ${stopped.map((r) => label(r, results.indexOf(r))).join(", ")}.`].join(" ").trim() || null, el("div", { class: "scroll" }, table(columns, rows))),
    states.length ? card("stacks", "Stacks side by side", "Cycles between two instructions of a warp.",
      chart(46 * results.length + 130, (theme) => ({
        type: "bar",
        data: { labels: results.map(label), datasets: states.map((s) => ({ label: s, data: stacks.map((x) => x[s] || 0), backgroundColor: colour(s), maxBarThickness: 34 })) },
        options: { indexAxis: "y", plugins: { legend: { position: "bottom", labels: { boxWidth: 12 } } },
          scales: { x: { stacked: true, title: { display: true, text: "cycles per warp instruction" }, grid: { color: theme.line } }, y: { stacked: true, grid: { display: false } } } },
      }))) : null,
    lineChanges(results));
}

/// Where two results of one source differ.
function lineChanges(results) {
  if (results.length !== 2 || results[0].kernel !== results[1].kernel) return null;
  const places = new Map();
  results.forEach((r, i) => (r.source_lines || []).forEach((l) => {
    const key = l.line ? `${fileName(l.file)}:${l.line}` : "(no line)";
    const entry = places.get(key) || { key, cycles: [0, 0], text: "" };
    entry.cycles[i] += l.warp_cycles;
    for (const part of r.sources || [])
      if (part.file === l.file && part.lines[l.line - part.first_line] !== undefined) entry.text = part.lines[l.line - part.first_line].trim();
    places.set(key, entry);
  }));
  const rows = [...places.values()].filter((e) => e.cycles[0] !== e.cycles[1])
    .sort((a, b) => Math.abs(b.cycles[1] - b.cycles[0]) - Math.abs(a.cycles[1] - a.cycles[0])).slice(0, 12);
  if (!rows.length) return null;
  return card("lines", "Lines that changed most", "Warp cycles spent at each line of source.",
    el("div", { class: "scroll" }, table(["Line", "#First", "#Second", "#Difference", "Source"], rows.map((e) => [e.key, count(e.cycles[0]), count(e.cycles[1]),
      { text: el("span", { class: e.cycles[1] < e.cycles[0] ? "better" : "worse" }, (e.cycles[1] > e.cycles[0] ? "+" : "−") + count(Math.abs(e.cycles[1] - e.cycles[0]))) }, { text: e.text, class: "code" }]))));
}

function resultArticle(r, i) {
  const id = (name) => `r${i}-${name}`;
  const size = (d) => (d || []).join(" × ");
  return el("article", { class: "result", id: `result-${i}` },
    el("div", { class: "title" }, el("h1", {}, r.kernel), r.application || r.behavior ? null : el("span", { class: "on" }, `on ${r.gpu || "?"}`),
      el("span", { class: "tags" },
        data.names[i] ? el("span", { class: "tag" }, data.names[i]) : null,
        r.grid ? el("span", { class: "tag" }, `grid ${size(r.grid)}`) : null, r.block ? el("span", { class: "tag" }, `block ${size(r.block)}`) : null,
        r.model ? el("span", { class: "tag" }, `model: ${r.model}`) : null, r.trace ? el("span", { class: "tag" }, `trace: ${r.trace}`) : null,
        r.error_kind ? el("span", { class: "tag" }, `error against ${r.error_kind}`) : null,
        r.machine && r.machine.what_if ? el("span", { class: "tag warn" }, "what-if") : null,
        r.truncated || r.interrupted ? el("span", { class: "tag warn" }, r.blocks_done === undefined ? "stopped early" : `stopped early: ${count(r.blocks_done)} blocks done`) : null)),
    r.application || r.behavior ? null : part(() => facts(r)), part(() => applicationSection(r, id("application"))), part(() => readsSection(r, id("results"))), part(() => rooflineSection(r, id("roofline"))), part(() => stackSection(r, id("stack"))), part(() => intervalSection(r, id("intervals"))), part(() => bottleneckSection(r, id("bottlenecks"), data.graphs[i] || [])),
    part(() => adviceSection(r, id("advice"))),
    part(() => flowSection(r, id("flow"), (data.flows || [])[i])), part(() => behaviorSection(r, id("behavior"))), part(() => sourceSection(r, id("source"))), part(() => timelineSection(r, id("timeline"))), part(() => overlapSection(r, id("streams"))), part(() => memorySection(r, id("memory"))),
    part(() => unitSection(r, id("units"))), part(() => pipeSection(r, id("pipes"))), part(() => occupancySection(r, id("occupancy"))), part(() => inputSection(r, id("inputs"))));
}

/// A part that the result has, but not as Heddle writes it, must not take the others along.
function part(make) {
  try {
    return make();
  } catch (error) {
    return el("section", { class: "card" }, el("p", { class: "worse" }, `A part of this result cannot be shown: ${error.message}`));
  }
}

const themes = window.matchMedia("(prefers-color-scheme: dark)");
let chosen = /theme=(dark|light)/.exec(location.hash);
chosen = chosen && chosen[1];
function setTheme(name) {
  document.documentElement.dataset.theme = name;
  drawCharts();
}
const currentTheme = () => chosen || (themes.matches ? "dark" : "light");

function build() {
  const results = data.results;
  const nav = el("nav", {});
  const button = el("button", { class: "theme", type: "button", title: "dark or light" }, "◐ theme");
  button.addEventListener("click", () => { chosen = currentTheme() === "dark" ? "light" : "dark"; setTheme(chosen); });
  const main = el("main", {}, comparison(results), results.map(resultArticle),
    el("footer", {}, `Written by Heddle ${data.version}. Everything on this page comes from the results named above; it needs no network.`));
  document.body.append(el("header", { class: "top" }, el("div", { class: "bar" }, el("span", { class: "brand" }, "Heddle"), nav, button)), main);
  const link = (id, text) => nav.append(el("a", { href: "#" + id }, text));
  if (results.length > 1) {
    link("comparison", "Comparison");
    results.forEach((r, i) => link(`result-${i}`, label(r, i)));
  } else {
    for (const section of main.querySelectorAll("section.card")) link(section.id, section.querySelector("h2").textContent);
  }
  setTheme(currentTheme());
  themes.addEventListener("change", () => setTheme(currentTheme()));
  window.addEventListener("beforeprint", () => { setTheme("light"); for (const d of document.querySelectorAll("details")) d.open = true; });
  window.addEventListener("afterprint", () => setTheme(currentTheme()));
  document.documentElement.dataset.ready = "yes";
}
build();
