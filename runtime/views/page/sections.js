// One function per part of a result: a node, or null where the result has no such data.
"use strict";

function facts(r) {
  const fact = (name, value, unit, note) => value === undefined || value === "–" ? null
    : el("div", { class: "fact" }, el("div", { class: "name" }, name),
         el("div", { class: "value" }, value, unit ? el("small", {}, " " + unit) : null), note ? el("div", { class: "note" }, note) : null);
  const [value, unit] = time(r.time_us);
  const o = r.occupancy || {}, d = r.dram || {}, s = r.sms || {};
  const hit = (c) => (c && c.accesses ? percent(c.hits / c.accesses) : c && c.sectors ? percent(c.hit_rate) : "–");
  return el("div", { class: "facts" },
    fact("Time", value, unit, r.core_mhz ? `at ${count(r.core_mhz)} MHz` : null),
    fact("Cycles", count(r.cycles), "", r.launch_overhead_cycles ? `launch overhead ${count(r.launch_overhead_cycles)}` : null),
    fact("Warp instructions", count(r.warp_instructions), "", r.ipc !== undefined ? `${fixed(r.ipc)} per cycle, whole GPU` : null),
    fact("Occupancy", percent(o.achieved || o.theoretical, 0), "",
         o.limiter ? `${o.warps_per_sm} of ${o.max_warps_per_sm} warps fit, limited by ${o.limiter}` : null),
    fact("Busy SMs", s.total ? `${s.busy}` : "–", s.total ? `of ${s.total}` : "", s.imbalance ? `longest ${fixed(s.imbalance)} × mean` : null),
    fact("L1 hits", hit(r.l1), "", r.l1 && r.l1.accesses ? `of ${count(r.l1.accesses)} accesses` : null),
    fact("L2 hits", hit(r.l2), "", r.l2 && r.l2.accesses ? `of ${count(r.l2.accesses)} accesses` : null),
    fact("DRAM", d.gb_per_s !== undefined ? fixed(d.gb_per_s, 1) : "–", "GB/s", d.utilization !== undefined ? `data bus ${percent(d.utilization)} busy` : null));
}

function stackSection(r, id) {
  const stacks = stacksOf(r);
  if (!stacks.length) return null;
  const parts = stacks.map(({ name, stack }) => {
    const rows = Object.entries(stack).filter(([, v]) => v > 0).sort((a, b) => b[1] - a[1]);
    const total = rows.reduce((sum, [, v]) => sum + v, 0);
    return el("div", {}, stacks.length > 1 ? el("h3", {}, name) : null,
      strip(Object.fromEntries(rows), total, "stack"),
      table(["State", "#Cycles per instruction", "#Share"],
        [...rows.map(([state, v]) => [[swatch(state), state], fixed(v), percent(v / total)]), ["total", fixed(total), ""]]));
  });
  const first = stacks[0].stack;
  const bars = Object.entries(first).filter(([, v]) => v > 0).sort((a, b) => b[1] - a[1]).slice(0, 10);
  const plot = stacks.length > 1 ? null : chart(34 * bars.length + 40, (theme) => ({
    type: "bar",
    data: { labels: bars.map(([name]) => name), datasets: [{ data: bars.map(([, v]) => v), backgroundColor: bars.map(([name]) => colour(name)), borderRadius: 4, maxBarThickness: 22 }] },
    options: { indexAxis: "y", plugins: { legend: { display: false } },
      scales: { x: { title: { display: true, text: "cycles per warp instruction" }, grid: { color: theme.line } }, y: { grid: { display: false } } } },
  }));
  return card(id, "Where the time goes", "What a warp does between two of its instructions, in cycles per instruction. The names of the states are Nsight Compute's.",
    el("div", { class: "columns" }, parts, plot));
}

/// The stacks that a result has: measured by state, by category, and of models beside it.
function stacksOf(r) {
  const stacks = [];
  const add = (name, stack) => {
    const numbers = stack && typeof stack === "object" ? Object.entries(stack).filter(([, v]) => typeof v === "number") : [];
    if (numbers.some(([, v]) => v > 0)) stacks.push({ name, stack: Object.fromEntries(numbers) });
  };
  add(r.model === "timing" ? "By warp state" : "Stack of the model", r.cpi_stack);
  add("By category", r.cpi_categories);
  add("In GPUMech's categories", r.gpumech_stack);
  return stacks;
}

function bottleneckSection(r, id, graphs) {
  if (!r.bottlenecks || !r.bottlenecks.length) return null;
  return card(id, "Bottlenecks", "The costliest waits, traced back along the registers to what causes them. The gain is a bound: the time saved if the wait vanished and the next limit held.",
    el("ol", { class: "bottlenecks" }, r.bottlenecks.map((b, i) => {
      const graph = el("div", { class: "graph" });
      if (graphs[i]) graph.innerHTML = graphs[i];
      return el("li", {},
        el("div", { class: "head" }, el("span", { class: "rank" }, `${i + 1}`),
          el("span", { class: "what" }, b.what, b.place ? ` at ${b.place}` : ""),
          el("span", { class: "tag" }, swatch(b.state), `${b.state} ${percent(b.share)} of warp cycles`),
          el("span", { class: "gain" }, "at most ", el("b", {}, percent(b.gain)), ` less time, then ${b.then_limit} would limit`)),
        el("div", { class: "meter" }, el("i", { style: `width:${100 * b.share}%;background:${colour(b.state)}` })),
        el("div", { class: "chain" },
          el("div", { class: "scroll" }, table(["#", "Instruction", "Line", "Role"], (b.chain || []).map((l) => [
            { text: l.instruction, class: "n" }, { text: l.text, class: "code" }, l.place,
            l.role + (l.share > 0 ? ` ${percent(l.share)}` : "") + (b.loop_carried && l === b.chain[b.chain.length - 1] ? ", from the iteration before" : "")]))),
          graph));
    })));
}

function flowSection(r, id, picture) {
  if (!picture) return null;
  const graph = el("div", { class: "graph flow" });
  graph.innerHTML = picture;
  if (r.behavior) return card(id, "Divergence flow statistics graph", "Basic blocks that ran, darker the larger their share of the warp instructions. ECount: executions by threads; LCount: iterations of the innermost loop, by threads; SCount: barriers of warps. Arrows with how often threads went that way and how many of them ever did; dashed ones go around a loop.",
    el("div", { class: "scroll" }, graph));
  return card(id, "Control flow", "Basic blocks that ran, darker the larger their share of the warp cycles; arrows with the share of the warps that leave a block that way, counted over the first thread blocks.",
    el("div", { class: "scroll" }, graph));
}

function memorySection(r, id) {
  const misses = (c) => (c.misses !== undefined ? c.misses : c.accesses - c.hits - (c.pending_hits || 0));
  const names = { l1: "L1", constant_cache: "constant", texture_cache: "texture", instruction_cache: "instruction", gpc_cache: "GPC", l2: "L2" };
  const caches = Object.keys(names).filter((k) => r[k] && r[k].accesses);
  const spaces = Object.entries(r.spaces || {}).filter(([, s]) => s.instructions);
  const d = r.dram || {};
  if (!caches.length && !spaces.length && d.reads === undefined) return null;
  return card(id, "Memory", "What memory instructions ask for, and what each cache makes of it. A transaction is a 32-byte sector, or one pass in shared memory.",
    el("div", { class: "columns" },
      el("div", {}, spaces.length ? [el("h3", {}, "Accesses"), table(["Space", "#Warp instructions", "#Transactions", "#Per instruction"],
        spaces.map(([name, s]) => [name, count(s.instructions), count(s.transactions), fixed(s.transactions / s.instructions)]))] : null,
        caches.length ? [el("h3", { style: "margin-top:18px" }, "Caches"), table(["Cache", "#Accesses", "#Hits", "#Pending", "#Misses"],
          caches.map((k) => [names[k], count(r[k].accesses), percent(r[k].hits / r[k].accesses), percent((r[k].pending_hits || 0) / r[k].accesses), percent(misses(r[k]) / r[k].accesses)]))] : null,
        d.reads !== undefined ? el("p", { class: "lead", style: "margin-top:12px" },
          `DRAM: ${bytes(d.read_bytes)} read, ${bytes(d.write_bytes)} written, ${fixed(d.gb_per_s, 1)} GB/s, data bus ${percent(d.utilization)} busy.`) : null),
      caches.length ? el("div", {}, el("h3", {}, "What becomes of an access"), chart(48 * caches.length + 60, (theme) => ({
        type: "bar",
        data: { labels: caches.map((k) => names[k]), datasets: [["hits", (c) => c.hits, "#3aa655"], ["on its way", (c) => c.pending_hits || 0, "#f2a541"], ["misses", misses, "#e4572e"]].map(([label, get, fill]) => ({
          label, data: caches.map((k) => 100 * get(r[k]) / r[k].accesses), backgroundColor: fill, maxBarThickness: 26 })) },
        options: { indexAxis: "y", plugins: { legend: { position: "bottom", labels: { boxWidth: 12 } } },
          scales: { x: { stacked: true, max: 100, ticks: { callback: (v) => v + " %" }, grid: { color: theme.line } }, y: { stacked: true, grid: { display: false } } } },
      }))) : null));
}

function pipeSection(r, id) {
  const pipes = Object.entries(r.pipes || {}).filter(([, p]) => p.instructions);
  if (!pipes.length) return null;
  return card(id, "Pipes", "Instructions of each kind of pipe and how long it was busy, as a share of the launch.",
    el("div", { class: "columns" },
      table(["Pipe", "#Instructions", "#Units", "#Busy"], pipes.map(([name, p]) => [name, count(p.instructions), count(p.instances), percent(p.utilization)])),
      chart(34 * pipes.length + 50, (theme) => ({
        type: "bar",
        data: { labels: pipes.map(([name]) => name), datasets: [{ data: pipes.map(([, p]) => 100 * p.utilization), backgroundColor: theme.accent, borderRadius: 4, maxBarThickness: 20 }] },
        options: { indexAxis: "y", plugins: { legend: { display: false } },
          scales: { x: { suggestedMax: 10, ticks: { callback: (v) => v + " %" }, grid: { color: theme.line } }, y: { grid: { display: false } } } },
      }))));
}

/// What the interval model profiled, and what it says of other machines.
function intervalSection(r, id) {
  const profile = r.intervals, fields = r.sensitivity || [], machines = r.what_if || [];
  // Heddle's own model replays warps; only the paper's have a representative one.
  const represents = profile && profile.count > 0;
  if (!represents && !fields.length && !machines.length) return null;
  const ranked = [...fields].sort((a, b) => Math.abs(b.elasticity) - Math.abs(a.elasticity)).slice(0, 14);
  return card(id, "Intervals and what-if", represents
    ? `The representative warp issues ${count(profile.warp_instructions)} instructions in ${count(profile.count)} intervals and stalls for ${fixed(profile.stall_cycles, 1)} cycles after each.` : null,
    el("div", { class: "columns" },
      machines.length ? el("div", {}, el("h3", {}, "Other machines"), table(["Change", "#Cycles", "#Time (µs)", "#Speed-up"],
        machines.map((m) => [m.change || "as it is", count(m.cycles), fixed(m.time_us), fixed(machines[0].time_us / m.time_us, 3)]))) : null,
      ranked.length ? el("div", {}, el("h3", {}, "How time follows each machine field (elasticity: 1 is proportional)"), chart(26 * ranked.length + 50, (theme) => ({
        type: "bar",
        data: { labels: ranked.map((f) => f.field), datasets: [{ data: ranked.map((f) => f.elasticity), backgroundColor: ranked.map((f) => (f.elasticity < 0 ? "#3aa655" : "#e4572e")), borderRadius: 4, maxBarThickness: 18 }] },
        options: { indexAxis: "y", plugins: { legend: { display: false } }, scales: { x: { grid: { color: theme.line } }, y: { grid: { display: false } } } },
      }))) : null));
}

/// How busy a fast model finds each unit; the busiest bounds the launch.
function unitSection(r, id) {
  const units = Object.entries(r.busy || {}).filter(([, v]) => typeof v === "number" && v > 0).sort((a, b) => b[1] - a[1]);
  if (!units.length) return null;
  return card(id, "Units", r.bound ? `How much of the time each unit is busy. The launch is bound by: ${r.bound}.` : "How much of the time each unit is busy.",
    el("div", { class: "columns" }, table(["Unit", "#Busy"], units.map(([name, v]) => [name, percent(v)])),
      chart(30 * units.length + 50, (theme) => ({
        type: "bar",
        data: { labels: units.map(([name]) => name), datasets: [{ data: units.map(([, v]) => 100 * v), backgroundColor: theme.accent, borderRadius: 4, maxBarThickness: 20 }] },
        options: { indexAxis: "y", plugins: { legend: { display: false } },
          scales: { x: { max: 100, ticks: { callback: (v) => v + " %" }, grid: { color: theme.line } }, y: { grid: { display: false } } } },
      }))));
}

function occupancySection(r, id) {
  const t = r.occupancy_table;
  if (!t) return null;
  const sizes = t.block_sizes;
  const row = (cells, mark) => Object.assign(cells, { mark });
  return card(id, "Occupancy", `${t.registers_per_thread} registers per thread and ${bytes(t.shared_bytes)} of shared memory per block. Marked: what limits, and this launch.`,
    el("div", { class: "columns" },
      el("div", {}, el("h3", {}, "By resource"), table(["Resource", "#Per block", "#Per SM", "#Blocks"], t.resources.map((x) => row([x.name, count(x.per_block), count(x.per_sm), count(x.blocks)], x.limits))),
        el("h3", { style: "margin-top:18px" }, "By block size"), table(["#Threads", "#Blocks", "#Warps", "#Occupancy", "Limited by"], sizes.map((x) => row([count(x.threads), count(x.blocks), count(x.warps), percent(x.occupancy, 0), x.limiter || "does not fit"], x.this_launch)))),
      chart(280, (theme) => ({
        type: "bar",
        data: { labels: sizes.map((x) => x.threads), datasets: [{ data: sizes.map((x) => 100 * x.occupancy), backgroundColor: sizes.map((x) => (x.this_launch ? theme.accent : theme.faint)), borderRadius: 4, maxBarThickness: 46 }] },
        options: { plugins: { legend: { display: false } },
          scales: { y: { max: 100, beginAtZero: true, title: { display: true, text: "warps of an SM in use" }, ticks: { callback: (v) => v + " %" }, grid: { color: theme.line } }, x: { title: { display: true, text: "threads per block" }, grid: { display: false } } } },
      }))));
}

function timelineSection(r, id) {
  const t = r.timeline;
  if (!t || !t.warps.length) return null;
  const left = 84, width = Math.max(4, Math.min(14, 1060 / t.cycles)), height = 15, top = 22;
  const picture = svg("svg", { width: left + width * t.cycles + 30, height: top + height * t.warps.length + 4 });
  const step = [5, 10, 20, 50, 100, 200, 500].find((s) => s * width >= 58) || 1000;
  for (let c = 0; c < t.cycles; c += step) {
    picture.append(svg("text", { x: left + c * width, y: 12 }, (t.begin + c).toLocaleString("en-US")));
    picture.append(svg("line", { x1: left + c * width, x2: left + c * width, y1: 16, y2: 20, stroke: "var(--faint)" }));
  }
  const used = new Set();
  t.warps.forEach((warp, row) => {
    const y = top + row * height;
    picture.append(svg("text", { x: 0, y: y + 11 }, `${warp.block}.${warp.warp}`));
    for (let c = 0; c < warp.states.length;) {
      let end = c + 1;
      while (end < warp.states.length && warp.states[end] === warp.states[c]) ++end;
      const state = t.legend[warp.states[c]];
      if (state) {
        used.add(state);
        const rect = svg("rect", { x: left + c * width, y: y + 1, width: (end - c) * width, height: height - 3, fill: colour(state) });
        rect.append(svg("title", {}, `block ${warp.block} warp ${warp.warp}: ${state}, ${end - c} cycles from ${t.begin + c}`));
        picture.append(rect);
      }
      c = end;
    }
  });
  return card(id, "Timeline", `Warps of SM ${t.sm} (block.warp) from cycle ${count(t.begin)} on, one column per cycle.`,
    el("div", { class: "scroll timeline" }, picture),
    el("div", { class: "legend" }, [...used].map((s) => el("span", {}, swatch(s), s === "selected" ? "issues" : s === "wait" ? "executes (wait)" : s))));
}

/// Operations of each stream in rows, so that none in a row overlap.
function streamRows(operations) {
  const rows = [];
  for (const o of [...operations].sort((a, b) => a.begin_us - b.begin_us)) {
    const row = rows.find((r) => r.end <= o.begin_us) || rows[rows.push({ end: 0, operations: [] }) - 1];
    row.operations.push(o);
    row.end = o.end_us;
  }
  return rows;
}

/// When the launches and copies of each stream run on the model's clock.
function overlapSection(r, id) {
  const t = r.overlap;
  if (!t || !t.operations.length || !(t.end_us > 0)) return null;
  const most = 20000, drawn = t.operations.filter((o) => o.kind !== "host" && o.end_us > o.begin_us).slice(0, most);
  const left = 170, width = 920, height = 20, top = 24, scale = width / t.end_us;
  const kinds = { to_device: ["copy from the host", "#5b8def"], to_host: ["copy to the host", "#8e5bd0"], in_device: ["copy in the device", "#2a9d9d"], fill: ["fill", "#8796a8"] };
  const kernels = [...new Set((r.launches || []).map((l) => l.kernel))];
  const of = (o) => (o.kind === "launch" ? [r.launches[o.launch].kernel, spare[(kernels.indexOf(r.launches[o.launch].kernel) + 1) % spare.length]] : kinds[o.kind]);
  const streams = t.streams.map((s, i) => ({ ...s, rows: streamRows(drawn.filter((o) => o.stream === i)) })).filter((s) => s.rows.length);
  const picture = svg("svg", { width: left + width + 70, height: top + height * streams.reduce((n, s) => n + s.rows.length, 0) + 4 });
  for (let part = 0; part <= 5; ++part) {
    const x = left + width * part / 5;
    picture.append(svg("text", { x, y: 12 }, time(t.end_us * part / 5).join(" ")));
    picture.append(svg("line", { x1: x, x2: x, y1: 16, y2: 21, stroke: "var(--faint)" }));
  }
  const used = new Map();
  let y = top;
  for (const s of streams) {
    picture.append(svg("text", { x: 0, y: y + 13 }, s.name));
    for (const row of s.rows) {
      for (const o of row.operations) {
        const [name, fill] = of(o);
        used.set(name, fill);
        const bar = svg("rect", { x: left + o.begin_us * scale, y: y + 2, width: Math.max(0.5, (o.end_us - o.begin_us) * scale), height: height - 5, fill });
        bar.append(svg("title", {}, `${name}${o.bytes ? `, ${bytes(o.bytes)}` : ""}${o.range ? ` in ${o.range}` : ""}: ${fixed(o.begin_us)} to ${fixed(o.end_us)} µs`));
        picture.append(bar);
      }
      y += height;
    }
  }
  const lead = `All operations end after ${time(t.end_us).join(" ")}; one after the other they would take ${time(t.serial_us).join(" ")}.` +
    (drawn.length === most ? ` Drawn are the first ${count(most)}.` : "");
  return card(id, "Streams", lead, el("div", { class: "scroll timeline" }, picture),
    el("div", { class: "legend" }, [...used].map(([name, fill]) => el("span", {}, el("span", { class: "swatch", style: `background:${fill}` }), name))),
    el("div", { class: "scroll" }, table(["Stream", "#Launches", "#Copies and fills", "#Bytes", "#Busy", "#Share"],
      t.streams.filter((s) => s.launches + s.copies).map((s) => [s.name, count(s.launches), count(s.copies), bytes(s.bytes), time(s.busy_us).join(" "), percent(s.busy_us / t.end_us)]))),
    t.ranges ? el("div", { class: "scroll" }, table(["Range of the program", "#Launches", "#Copies and fills", "#Busy", "#Share"],
      t.ranges.map((s) => [s.range, count(s.launches), count(s.copies), time(s.busy_us).join(" "), percent(s.busy_us / t.end_us)]))) : null);
}

/// What an application does: calls, kernels, lanes.
function applicationSection(r, id) {
  const a = r.application;
  if (!a) return null;
  const calls = a.calls || {};
  const all = (calls.launches || 0) + (calls.synchronisation || 0) + (calls.other || 0);
  const classes = Object.keys((a.total || {}).classes || {});
  const kernelRow = (k) => [k.kernel, count(k.launches), `${count(k.executed_blocks)} / ${count(k.blocks)}`, count(k.block_executions), count(k.warp_instructions),
    fixed(k.warp_instructions ? k.thread_instructions / k.warp_instructions : 0, 1),
    ...classes.map((c) => percent(k.warp_instructions ? k.classes[c] / k.warp_instructions : 0)), bytes(k.bytes_read), bytes(k.bytes_written)];
  const whole = a.by_lanes.reduce((x, y) => x + y, 0);
  const lanes = [[0, 1], [2, 4], [5, 8], [9, 16], [17, 31], [32, 32]].map(([first, last]) =>
    [first === last ? `${last}` : `${first} to ${last}`, percent(whole ? a.by_lanes.slice(first, last + 1).reduce((x, y) => x + y, 0) / whole : 0)]);
  return card(id, "Application", "What the recorded program does: calls, kernels with their basic blocks and instructions, lanes that instructions use, bytes that threads read and write.",
    all ? el("div", { class: "columns" },
      table(["Calls", "#Number", "#Share"], [["launches", calls.launches], ["synchronisation", calls.synchronisation], ["other", calls.other]].map(([n, v]) => [n, count(v), percent(v / all)])),
      table(["Function", "#Calls"], Object.entries(calls.by_function || {}).sort((x, y) => y[1] - x[1]).map(([n, v]) => [n, count(v)]))) : null,
    el("div", { class: "scroll" }, table(["Kernel", "#Launches", "#Blocks executed", "#Block executions", "#Warp instructions", "#Lanes", ...classes.map((c) => "#" + c), "#Read", "#Written"],
      [...a.kernels, a.total].map(kernelRow))),
    a.ranges ? el("div", { class: "scroll" }, table(["Range of the program", "#Launches", "#Warp instructions", "#Share"],
      a.ranges.map((s) => [s.range, count(s.launches), count(s.warp_instructions), percent(s.warp_instructions / a.total.warp_instructions)]))) : null,
    el("h3", {}, "Warp instructions by active lanes"), table(["Active lanes", "#Share"], lanes));
}

/// How what a recorded program read compares with the replay, and why not.
function readsSection(r, id) {
  const d = r.reads;
  if (!d || !r.application) return null;
  const all = d.equal + d.near + d.different;
  const list = (title, lines) => (lines && lines.length ? [el("h3", {}, title), el("ul", {}, lines.map((x) => el("li", {}, x)))] : []);
  return card(id, "Results", `${count(all)} results that the program read: ${count(d.equal)} equal to the replay's, ${count(d.near)} within the tolerance, ${count(d.different)} different.`,
    d.different ? el("div", { class: "scroll" }, table(["Buffer", "First difference", "Cause"],
      Object.entries(d.verdicts || {}).map(([b, v]) => [b, v, (d.causes || {})[b] || "not looked for: --check finds it"]))) : null,
    ...list("Wrong accesses and races", d.findings), ...list("Atomics that show the order of blocks", d.block_order));
}

/// What a kernel does, as its clones are made from it.
function behaviorSection(r, id) {
  const b = r.behavior;
  if (!b) return null;
  const sum = (xs) => xs.reduce((x, y) => x + y, 0);
  const lanes = ["0", "1 to 8", "9 to 16", "17 to 24", "25 to 31", "32"].map((name, i) => [name, percent(b.by_lanes[i] / (sum(b.by_lanes) || 1))]);
  const mix = Object.entries(b.mix).sort((x, y) => y[1] - x[1]);
  const array = (n) => (n === null ? "unknown" : `${n}: ${b.arrays[n].space}, ${bytes(b.arrays[n].bytes)}`);
  return card(id, "Behaviour", `${count(b.warp_instructions)} warp instructions, ${count(b.thread_instructions)} of threads; ${count(b.registers_per_thread)} registers per thread, ${bytes(b.shared_bytes)} of shared memory per block. heddle clone makes a clone of this.`,
    b.loops.length ? el("h3", {}, "Loops") : null, b.loops.length ? el("div", { class: "scroll" }, table(["Loop at block", "#Depth", "#Mean trips of a thread", "#Least of a warp", "#Median", "#Most", "Within a warp"], b.loops.map((l) =>
      [`${l.header}`, count(l.depth), fixed(l.mean_trips, 1), count(l.least_trips), count(l.median_trips), count(l.most_trips), l.vary_in_warp ? "vary" : "alike"]))) : null,
    el("h3", {}, "Accesses"), el("div", { class: "scroll" }, table(["Array", "Access", "#Requests of warps", "Address", "#Sectors per request", "#Conflicts per request", "#Bytes to the next lane", "#Bytes to the next iteration", "#Footprint"], b.accesses.map((a) =>
      [array(a.array), `${a.store ? "store" : "load"} of ${a.bytes}`, count(a.requests), a.affine ? "affine" : "drawn", fixed(a.sectors, 2), fixed(a.conflicts, 2), count(a.lane_stride), count(a.step), bytes(32 * a.footprint_sectors)]))),
    el("h3", {}, "Instructions"), el("div", { class: "columns" },
      table(["Opcode", "#Warp instructions", "#Share"], mix.slice(0, 16).map(([n, v]) => [n, count(v), percent(v / b.warp_instructions)])),
      table(["Active lanes", "#Share"], lanes)));
}
