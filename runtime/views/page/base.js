// Elements, numbers and colours. Text from results only ever becomes text nodes.
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);

function el(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {}))
    if (value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  for (const child of children.flat(9))
    if (child !== null && child !== undefined && child !== "")
      node.append(child.nodeType ? child : String(child));
  return node;
}
function svg(tag, attributes, text) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  if (text !== undefined) node.textContent = text;
  return node;
}

const count = (n) => (typeof n === "number" ? Math.round(n).toLocaleString("en-US") : "–");
const fixed = (n, digits = 2) => (typeof n === "number" && isFinite(n)
  ? n.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits }) : "–");
const percent = (part, digits = 1) => (typeof part === "number" && isFinite(part) ? fixed(100 * part, digits) + " %" : "–");
function bytes(n) {
  if (typeof n !== "number") return "–";
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  for (; n >= 1024 && unit + 1 < units.length; ++unit) n /= 1024;
  return (unit ? fixed(n, 1) : count(n)) + " " + units[unit];
}
function time(us) {
  if (typeof us !== "number") return ["–", ""];
  return us < 1000 ? [fixed(us, 2), "µs"] : us < 1e6 ? [fixed(us / 1000, 2), "ms"] : [fixed(us / 1e6, 2), "s"];
}
const fileName = (path) => String(path || "").split("/").pop();

// Issue green, arithmetic blue, memory warm, synchronisation violet, front end teal, rest grey.
const stateColours = {
  selected: "#3aa655", not_selected: "#a5d6a7",
  wait: "#5b8def", math_pipe_throttle: "#1f4fb2", dispatch_stall: "#8fb3f5",
  long_scoreboard: "#e4572e", short_scoreboard: "#f2a541", lg_throttle: "#b3261e", mio_throttle: "#c98a1b",
  tex_throttle: "#d77fa1", imc_miss: "#e98a6b",
  barrier: "#8e5bd0", membar: "#b794e6",
  no_instruction: "#2a9d9d", branch_resolving: "#7ccac6", drain: "#8796a8", sleeping: "#b9c3cf",
  base: "#3aa655", compute_data: "#5b8def", compute_structural: "#1f4fb2", memory_data: "#e4572e",
  memory_structural: "#b3261e", synchronisation: "#8e5bd0", synchronization: "#8e5bd0", sync: "#8e5bd0", idle: "#8796a8",
  dep: "#5b8def", l1: "#f2a541", l2: "#e98a6b", dram: "#e4572e", mshr: "#b3261e", queue: "#d77fa1",
};
const spare = ["#5b8def", "#e4572e", "#3aa655", "#f2a541", "#8e5bd0", "#2a9d9d", "#d77fa1", "#8796a8"];
function colour(state) {
  const known = stateColours[String(state).toLowerCase()];
  if (known) return known;
  let sum = 0;
  for (const c of String(state)) sum += c.charCodeAt(0);
  return spare[sum % spare.length];
}
const swatch = (state) => el("span", { class: "swatch", style: `background:${colour(state)}` });

/// A strip of parts {name: value}; `whole` is its full width.
function strip(parts, whole, className) {
  return el("div", { class: className }, Object.entries(parts).filter(([, v]) => v > 0).map(([name, value]) =>
    el("i", { style: `width:${(100 * value / whole).toFixed(3)}%;background:${colour(name)}`,
              title: `${name}: ${percent(value / whole)}` })));
}
/// Rows are lists of cells; a cell is text, a node, or {text, class}. Columns beginning with "#" hold numbers.
function table(columns, rows) {
  const numeric = columns.map((c) => c.startsWith("#"));
  const cell = (c, i) => {
    const more = c && typeof c === "object" && !c.nodeType && !Array.isArray(c) ? c : { text: c };
    return el("td", { class: [numeric[i] ? "n" : "", more.class || ""].join(" ").trim() || undefined }, more.text);
  };
  return el("table", {},
    el("thead", {}, el("tr", {}, columns.map((c, i) => el("th", { class: numeric[i] ? "n" : undefined }, c.replace(/^#/, ""))))),
    el("tbody", {}, rows.map((row) => el("tr", { class: row.mark ? "mark" : undefined }, row.map(cell)))));
}
function card(id, heading, lead, ...children) {
  return el("section", { class: "card", id }, el("h2", {}, heading), lead ? el("p", { class: "lead" }, lead) : null, children);
}

// Charts are made anew when the colours change.
const charts = [];
function chart(height, make) {
  const canvas = el("canvas", { role: "img" });
  const box = el("div", { class: "chart", style: `height:${height}px` }, canvas);
  charts.push({ canvas, make, made: null });
  return box;
}
function drawCharts() {
  const style = getComputedStyle(document.documentElement);
  const theme = { text: style.getPropertyValue("--soft").trim(), line: style.getPropertyValue("--line").trim(),
                  accent: style.getPropertyValue("--accent").trim(), faint: style.getPropertyValue("--faint").trim() };
  Chart.defaults.color = theme.text;
  Chart.defaults.borderColor = theme.line;
  Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
  Chart.defaults.font.size = 12;
  Chart.defaults.animation = false;
  Chart.defaults.maintainAspectRatio = false;
  for (const entry of charts) {
    if (entry.made) entry.made.destroy();
    entry.made = new Chart(entry.canvas, entry.make(theme));
  }
}
