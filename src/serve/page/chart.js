// Charts and figures of runs. All figures come from the server; nothing is computed here but places on the screen.

import { make } from "/assets/kit.js";

const SVG = "http://www.w3.org/2000/svg";

const svg = (name, attributes = {}, ...children) => {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
};

/** A chart as the server drew it: names in it are text, and no script of it runs. */
function drawing(text) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (parsed.nodeName !== "svg") return make("p", { class: "error" }, "This chart cannot be shown.");
  return document.importNode(parsed, true);
}

/** Shows or renews a chart in a list of charts, in the order of the server. */
export function showChart(list, chart) {
  let figure = [...list.children].find((one) => one.dataset.chart === chart.name);
  if (!figure) {
    figure = make("figure", { class: "card chart", "data-chart": chart.name }, make("div"), make("figcaption", { class: "faint" }, chart.help));
    list.append(figure);
  }
  const wide = make("div", { class: "wide scroll", tabindex: "0" }, drawing(chart.svg));
  // A phone gets a separate drawing, where letters keep their size.
  const narrow = chart.narrow ? make("div", { class: "narrow" }, drawing(chart.narrow)) : null;
  figure.firstChild.className = narrow ? "both" : "";
  figure.firstChild.replaceChildren(...[wide, narrow].filter(Boolean));
}

/** Wins, draws and losses as one bar. */
function bar(row) {
  const width = 160, height = 14, total = Math.max(1, row.games);
  const parts = [["win", row.wins], ["draw", row.draws], ["loss", row.losses]];
  const label = `${row.wins} won, ${row.draws} drawn, ${row.losses} lost`;
  const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "result-bar", role: "img", "aria-label": label });
  picture.append(svg("title", {}, label));
  let x = 0;
  for (const [kind, count] of parts) {
    const share = (count / total) * width;
    if (share > 0) picture.append(svg("rect", { x: x.toFixed(2), y: 0, width: share.toFixed(2), height, class: kind }));
    x += share;
  }
  return picture;
}

/** Elo with its interval on a scale that all rows share. */
function interval(elo, [low, high]) {
  const width = 180, height = 18, y = height / 2;
  const at = (value) => 6 + ((Math.min(Math.max(value, low), high) - low) / (high - low)) * (width - 12);
  const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "interval", role: "img", "aria-label": `Elo ${elo.text}` });
  picture.append(svg("title", {}, `Elo ${elo.text}`));
  if (low < 0 && high > 0) picture.append(svg("line", { x1: at(0), x2: at(0), y1: 0, y2: height, class: "zero" }));
  if (elo.low !== null || elo.high !== null) {
    const from = at(elo.low ?? low), to = at(elo.high ?? high);
    picture.append(svg("line", { x1: from, x2: to, y1: y, y2: y, class: "reach" }));
    if (elo.low !== null) picture.append(svg("line", { x1: from, x2: from, y1: y - 4, y2: y + 4, class: "reach" }));
    if (elo.high !== null) picture.append(svg("line", { x1: to, x2: to, y1: y - 4, y2: y + 4, class: "reach" }));
  }
  if (elo.value !== null) picture.append(svg("circle", { cx: at(elo.value), cy: y, r: 4.5, class: "value" }));
  return picture;
}

function scaleOf(rows) {
  const ends = rows.flatMap((row) => [row.elo.low, row.elo.value, row.elo.high]).filter((value) => value !== null);
  const low = Math.min(0, ...ends), high = Math.max(0, ...ends);
  const room = Math.max(1, (high - low) * 0.05);
  return [low - room, high + room];
}

/** The standings with a bar and an interval for each player; narrow ones have fewer columns. */
export function standings(rows, compact = false) {
  const range = scaleOf(rows);
  const number = (text) => make("td", { class: "number" }, text);
  const columns = [
    ["", "number", (row) => number(String(row.rank))],
    ["player", "", (row) => make("td", { class: "player" }, row.name)],
    ["games", "number", (row) => number(row.games.toLocaleString("en"))],
    ["won, drawn, lost", "", (row) => make("td", {}, row.games ? bar(row) : "", make("small", {}, row.games ? `+${row.wins} =${row.draws} −${row.losses}` : ""))],
    compact ? null : ["score", "number", (row) => number(row.score.text)],
    ["Elo", "number", (row) => number(row.eloFigure)],
    ["95 % interval", "", (row) => make("td", {}, row.games ? interval(row.elo, range) : "", make("small", {}, row.interval))],
    compact ? null : ["LOS", "number", (row) => number(row.los)],
  ].filter(Boolean);
  const head = make("tr", {}, columns.map(([name, kind]) => make("th", { class: kind, scope: "col" }, name)));
  const body = rows.map((row) => make("tr", {}, columns.map(([, , cell]) => cell(row))));
  return make("div", { class: "scroll", tabindex: "0" }, make("table", { class: compact ? "standings compact" : "standings" }, make("thead", {}, head), make("tbody", {}, body)));
}

/** A table of the server: columns of [name, numeric], cells of [text, number to sort by]. */
export function table({ columns, rows }) {
  const body = make("tbody");
  const fill = (list) => body.replaceChildren(...list.map((row) => make("tr", {}, row.map(([text], at) => make("td", { class: columns[at][1] ? "number" : "" }, text)))));
  const sort = (at, head) => {
    const up = head.getAttribute("aria-sort") === "descending";
    for (const other of head.parentNode.children) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    const value = ([text, number]) => (columns[at][1] ? number : text);
    const order = (a, b) => {
      const [left, right] = [value(a[at]), value(b[at])];
      if (left === null || right === null) return (left === null) - (right === null);
      return (up ? 1 : -1) * (typeof left === "number" ? left - right : String(left).localeCompare(String(right), "en", { numeric: true }));
    };
    fill([...rows].sort(order));
  };
  const head = make("tr", {}, columns.map(([name, numeric], at) => {
    const cell = make("th", { class: numeric ? "number" : "", scope: "col" });
    cell.append(make("button", { type: "button", class: "sort", onclick: () => sort(at, cell) }, name));
    return cell;
  }));
  fill(rows);
  return make("div", { class: "scroll", tabindex: "0" }, make("table", {}, make("thead", {}, head), body));
}

/** A state as a word with a colour. */
export const badge = (state) => make("span", { class: `badge ${state}` }, state);

/** The share that is played. */
export function progressBar(entry) {
  if (entry.share === null) return "";
  return make("progress", { value: String(entry.share), max: "1", "aria-label": entry.progress });
}

/** The address of a run's page. */
export const runPage = (id) => `/run?id=${encodeURIComponent(id)}`;

/** Runs as a query: a name may hold commas. */
export const namesOf = (ids) => ids.map((id) => `run=${encodeURIComponent(id)}`).join("&");
export const comparePage = (ids) => `/compare?${namesOf(ids)}`;

/** How long ago, in words. */
export function ago(seconds) {
  if (!seconds) return "";
  const age = Math.max(0, Date.now() / 1000 - seconds);
  for (const [unit, length] of [["day", 86400], ["hour", 3600], ["minute", 60]]) {
    const count = Math.floor(age / length);
    if (count >= 1) return `${count} ${unit}${count === 1 ? "" : "s"} ago`;
  }
  return "now";
}
