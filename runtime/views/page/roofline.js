// Achieved against peak, what lifting each limit would bring, and what decided the result.
"use strict";

/// 1.5e12 as "1.5 T", for units that count in thousands.
function scaled(n, unit) {
  if (typeof n !== "number") return "–";
  const prefixes = ["", "k", "M", "G", "T", "P"];
  let p = 0;
  for (; n >= 1000 && p + 1 < prefixes.length; ++p) n /= 1000;
  return `${fixed(n, p ? 1 : 0)} ${prefixes[p]}${unit}`;
}

/// A line for each level of the memory up to the peak of the arithmetic, and where the kernel is on each.
function rooflineChart(t) {
  const levels = t.levels.filter((l) => l.flop_per_byte > 0);
  const ridge = levels.map((l) => t.peak_flop_per_second / l.peak);
  const all = [...levels.map((l) => l.flop_per_byte), ...ridge];
  const from = Math.min(...all) / 4, to = Math.max(...all) * 4;
  return chart(320, (theme) => ({
    type: "scatter",
    data: { datasets: [
      ...levels.map((l, i) => ({ label: `${l.level} ${scaled(l.peak, "B/s")}`, showLine: true, pointRadius: 0, borderWidth: 2, borderColor: spare[i], backgroundColor: spare[i],
        data: [{ x: from, y: from * l.peak }, { x: ridge[i], y: t.peak_flop_per_second }, { x: to, y: t.peak_flop_per_second }] })),
      ...levels.map((l, i) => ({ label: `kernel, bytes of ${l.level}`, pointRadius: 7, pointStyle: "rectRot", backgroundColor: spare[i], borderColor: theme.text, data: [{ x: l.flop_per_byte, y: t.flop_per_second }] }))] },
    options: { plugins: { legend: { position: "bottom", labels: { boxWidth: 10, filter: (item) => !item.text.startsWith("kernel") } },
        tooltip: { callbacks: { label: (c) => `${c.dataset.label}: ${scaled(c.parsed.y, "FLOP/s")} at ${fixed(c.parsed.x)} FLOP/byte` } } },
      scales: { x: { type: "logarithmic", min: from, max: to, title: { display: true, text: "FLOP per byte" }, grid: { color: theme.line }, ticks: { maxTicksLimit: 7, callback: (v) => String(+v.toPrecision(2)) } },
        y: { type: "logarithmic", title: { display: true, text: "FLOP/s" }, grid: { color: theme.line }, ticks: { maxTicksLimit: 7, callback: (v) => scaled(v, "") } } } },
  }));
}

function rooflineSection(r, id) {
  const t = r.throughput;
  if (!t || !(t.types.length + t.levels.length)) return null;
  const rows = [...t.types.map((x) => [x.type, scaled(x.flop, "FLOP"), scaled(x.flop_per_second, "FLOP/s"), scaled(x.peak, "FLOP/s"), percent(x.share), "", ""]),
    ...t.levels.map((l) => [l.level, scaled(l.bytes, "B"), scaled(l.bytes_per_second, "B/s"), scaled(l.peak, "B/s"), percent(l.share),
      t.flop ? fixed(l.flop_per_byte) : "", t.flop ? percent(t.flop_per_second / l.roof_flop_per_second) : ""])];
  return card(id, "Roofline", t.flop ? `Achieved against peak: ${scaled(t.flop_per_second, "FLOP/s")} of ${scaled(t.peak_flop_per_second, "FLOP/s")}. Lines are what each level of the memory lets through; a mark is the kernel with the bytes of that level.` : "Achieved against peak. The kernel has no floating-point operations, so there is no roof.",
    el("div", { class: "scroll" }, table(["", "#Work", "#Per second", "#Peak", "#Of peak", "#FLOP/byte", "#Of its roof"], rows)),
    t.flop && t.levels.length ? rooflineChart(t) : null);
}

function adviceSection(r, id) {
  const a = r.advice;
  if (!a) return null;
  const lifted = a.lifted.filter((l) => l.speed_up >= 1.01);
  return card(id, "Advice", `The model ran again with one limit of the machine lifted each time. These are what-ifs: at most this gain, and gains do not add up.${a.not_modelled.length ? ` Not in this model: ${a.not_modelled.join(", ")}.` : ""}${a.not_tried ? ` Interrupted; not tried: ${a.not_tried.join(", ")}.` : ""}`,
    lifted.length ? el("div", { class: "scroll" }, table(["Without", "#Cycles", "#Speed-up", "Most at", "What to try"],
      lifted.map((l) => [l.limit, count(l.cycles), fixed(l.speed_up), l.line ? `${fileName(l.file)}:${l.line}` : "", l.try]))) : el("p", {}, "No limit costs more than 1 %."));
}

/// Machine, launch, compiler, source and assumptions.
function inputSection(r, id) {
  const m = r.machine || {}, l = r.launch || {}, c = r.compiler || {}, k = r.code || {};
  const overrides = Object.entries(m.overrides || {}).map(([field, value]) => `${field}=${value}`).join(", ");
  const rows = [
    ["Machine", m.name && m.name + (m.file ? ` (${m.file})` : "")], [m.what_if ? "What-if" : "Fields set", overrides],
    ["Ignored by the model", (r.ignored || []).join(", ")],
    ["Arguments", (l.args || []).join("; ")], ["Dynamic shared memory", l.dynamic_shared ? bytes(l.dynamic_shared) : ""],
    ["Compiler", c.arch && [c.arch, `-O${c.opt_level}`, ...c.flags].join(" ")],
    ["Code", k.level && `level ${k.level}, ${k.registers_per_thread} registers per thread (${k.registers_from})${k.fallback ? `; ${k.fallback}` : ""}`],
    ...(r.source || []).map((s) => ["Source", s.file + (s.sha256 ? ` (SHA-256 ${s.sha256.slice(0, 16)}…)` : "")]),
    ...(r.assumptions || []).map((text) => ["Assumption", text])].filter(([, text]) => text);
  if (!rows.length) return null;
  return card(id, "What decided this", null, el("div", { class: "scroll" }, table(["", ""], rows.map(([name, text]) => [name, { text, class: "wrap" }]))));
}
