// Compare: two or more runs side by side, and joined by the names of their players.

import { get, make } from "/assets/kit.js";
import { badge, namesOf, runPage, showChart, standings } from "/assets/chart.js";

const REFRESH = 5000;

class ComparePage {
  constructor(main, ids) {
    this.ids = ids;
    this.body = make("div", { id: "comparison" }, make("p", { class: "faint" }, "Reading …"));
    main.classList.add("compare");
    main.replaceChildren(make("h1", {}, "Compare"), this.body);
    this.load();
  }

  async load() {
    try {
      const value = await get(`/api/runs/compare?${namesOf(this.ids)}`);
      const text = JSON.stringify(value);
      if (text !== this.text) { this.text = text; this.show(value); }
      if (value.runs.some((run) => run.entry.state === "running")) this.timer = setTimeout(() => this.load(), REFRESH);
    } catch (error) {
      this.body.replaceChildren(make("p", { class: "error" }, error.message));
    }
  }

  show({ runs, joined, differences }) {
    const together = make("section", { class: "card", id: "joined" }, make("h2", {}, "Together, players joined by name"));
    if (joined.error) together.append(make("p", { class: "error" }, joined.error));
    else together.append(make("div", {}, joined.summary.sentences.map((sentence) => make("p", {}, sentence))), standings(joined.summary.standings));
    const columns = runs.map(({ entry, summary, charts }) => {
      const list = make("div");
      for (const chart of charts ?? []) showChart(list, chart);
      return make("section", { class: "column", "data-run": entry.id },
        make("h2", {}, make("a", { href: runPage(entry.id) }, entry.id), " ", badge(entry.state)),
        make("p", { class: "faint" }, [entry.game, entry.progress, entry.verdict].filter(Boolean).join(" · ")),
        entry.error ? make("p", { class: "error" }, entry.error) : null,
        summary?.standings.length ? make("div", { class: "card" }, standings(summary.standings, true)) : null, list);
    });
    const rows = differences.map(([key, values]) => make("tr", {}, make("th", { scope: "row" }, key), values.map((value) => make("td", {}, value ?? "–"))));
    const table = make("details", { class: "card panel", open: rows.length <= 30, id: "differences" }, make("summary", {}, rows.length ? `Settings that differ: ${rows.length}` : "The settings are the same"),
      make("div", { class: "scroll", tabindex: "0" }, make("table", {}, make("thead", {}, make("tr", {}, make("th", {}, "setting"), runs.map(({ entry }) => make("th", {}, entry.id)))), make("tbody", {}, rows))));
    const charts = make("div", { class: "charts", id: "joined-charts" });
    for (const chart of joined.charts ?? []) showChart(charts, chart);
    this.body.replaceChildren(together, make("div", { class: "columns" }, columns), table, joined.charts?.length ? make("h2", {}, "Charts of all games together") : "", charts);
  }
}

function choose(main) {
  main.replaceChildren(make("h1", {}, "Compare"), make("p", {}, "Choose two to eight runs on the page ", make("a", { href: "/runs" }, "Runs"), ", then press Compare."));
}

export function open(main) {
  const ids = new URLSearchParams(location.search).getAll("run").filter(Boolean);
  if (ids.length < 2) { choose(main); return () => {}; }
  const page = new ComparePage(main, ids);
  return () => clearTimeout(page.timer);
}
