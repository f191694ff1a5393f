// Runs: the list of all run directories, kept up to date by the server.

import { make } from "/assets/kit.js";
import { ago, badge, comparePage, progressBar, runPage } from "/assets/chart.js";

const STATES = ["running", "interrupted", "finished", "failed", "damaged"];
const COLUMNS = [
  ["name", "Run", (run) => run.id], ["state", "State", (run) => STATES.indexOf(run.state)], ["game", "Game", (run) => run.game],
  ["progress", "Progress", (run) => run.share ?? -1], ["leader", "Leader", (run) => run.leader ?? ""], ["verdict", "Verdict", (run) => run.verdict ?? ""],
  ["left", "Time left", (run) => run.secondsLeft ?? Infinity], ["modified", "Last game", (run) => -run.modified],
];

class RunsPage {
  constructor(main) {
    this.runs = new Map();
    this.chosen = new Set();
    this.sort = ["modified", 1];
    this.search = make("input", { type: "search", name: "search", placeholder: "Search name, game, player …", "aria-label": "Search runs", oninput: () => this.draw() });
    this.state = make("select", { name: "state", "aria-label": "State", onchange: () => this.draw() }, make("option", { value: "" }, "all states"), STATES.map((state) => make("option", { value: state }, state)));
    this.compare = make("button", { type: "button", id: "compare", disabled: true, onclick: () => { location.href = comparePage([...this.chosen]); } }, "Compare");
    this.count = make("p", { class: "faint", id: "count", "aria-live": "polite" }, "Reading …");
    this.heads = make("tr", {}, make("th", {}, ""), COLUMNS.map(([key, title]) => {
      const head = make("th", { scope: "col", "data-key": key });
      head.append(make("button", { type: "button", class: "sort", onclick: () => this.sortBy(key) }, title));
      return head;
    }));
    this.body = make("tbody");
    main.classList.add("runs");
    main.replaceChildren(
      make("div", { class: "page-head" }, make("h1", {}, "Runs"), make("a", { class: "button primary", id: "new-run", href: "/start" }, "New run")),
      make("div", { class: "controls tools" }, this.search, this.state, this.compare),
      this.count,
      make("div", { class: "card scroll", tabindex: "0" }, make("table", { class: "runs-table" }, make("thead", {}, this.heads), this.body)));
    this.events = new EventSource("/api/runs/events");
    this.events.addEventListener("runs", (event) => this.update(JSON.parse(event.data)));
    this.events.onerror = () => { this.count.textContent = "The server does not answer; trying again …"; };
  }

  update({ all, runs, gone }) {
    if (all) this.runs.clear();
    for (const run of runs) this.runs.set(run.id, run);
    for (const id of gone) this.runs.delete(id);
    for (const id of this.chosen) if (!this.runs.has(id)) this.chosen.delete(id);
    this.draw();
  }

  sortBy(key) {
    this.sort = this.sort[0] === key ? [key, -this.sort[1]] : [key, 1];
    this.draw();
  }

  draw() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const text = (run) => [run.id, run.name, run.game, run.kind, run.method ?? "", run.state, run.leader ?? "", run.verdict ?? ""].join(" ").toLowerCase();
    const shown = [...this.runs.values()].filter((run) => (!this.state.value || run.state === this.state.value) && words.every((word) => text(run).includes(word)));
    const [key, sign] = this.sort;
    const value = COLUMNS.find(([name]) => name === key)[2];
    const order = (a, b) => (typeof a === "string" ? a.localeCompare(b, "en", { numeric: true }) : a - b);
    shown.sort((a, b) => sign * order(value(a), value(b)) || a.id.localeCompare(b.id));
    for (const head of this.heads.children) {
      if (head.dataset.key === key) head.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
      else head.removeAttribute("aria-sort");
    }
    this.body.replaceChildren(...shown.map((run) => this.row(run)));
    const total = this.runs.size;
    const running = [...this.runs.values()].filter((run) => run.state === "running").length;
    this.count.textContent = total === 0 ? "No runs yet. Start one, or run `sparring run CONFIG` in a terminal." : `${shown.length === total ? "" : `${shown.length} of `}${total} run${total === 1 ? "" : "s"}, ${running} running`;
    this.mark();
  }

  row(run) {
    const choose = make("input", { type: "checkbox", checked: this.chosen.has(run.id), "aria-label": `compare ${run.id}`, onchange: () => { if (choose.checked) this.chosen.add(run.id); else this.chosen.delete(run.id); this.mark(); } });
    const kind = run.kind === "tune" ? `tuning, ${run.method}` : `${run.players} players`;
    const cell = (name, ...children) => make("td", { "data-label": name }, ...children);
    return make("tr", { "data-run": run.id, class: run.state },
      make("td", { class: "choose" }, choose),
      make("td", { class: "name" }, make("a", { href: runPage(run.id) }, run.id), make("small", {}, run.game ? kind : "")),
      cell("State", badge(run.state), run.error ? make("small", { class: "error", title: run.error }, run.error.slice(0, 90)) : null),
      cell("Game", run.game),
      cell("Progress", progressBar(run), make("small", {}, run.progress)),
      cell("Leader", run.leader ?? "", make("small", {}, run.lead ? `${run.lead} Elo` : "")),
      cell("Verdict", run.verdict ?? ""),
      cell("Time left", run.timeLeft ?? ""),
      cell("Last game", ago(run.modified)));
  }

  mark() {
    this.compare.disabled = this.chosen.size < 2 || this.chosen.size > 8;
    this.compare.textContent = this.chosen.size > 1 ? `Compare ${this.chosen.size}` : "Compare (choose 2 to 8)";
  }
}

export function open(main) {
  const page = new RunsPage(main);
  return () => page.events.close();
}
