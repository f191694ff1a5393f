// Why? The score with its terms, the best line, what each move scores, and how the score went. A weight changed here
// changes the bot.

import { make, post } from "/assets/kit.js";
import { scoreText, sideName } from "/assets/play.js";

const SVG = "http://www.w3.org/2000/svg";
const svg = (name, attributes, parent) => {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  parent?.append(element);
  return element;
};

/** A score on a scale from -1 to 1, so that large leads stay on it. */
const bend = (score, unit) => score.mate !== undefined ? Math.sign(score.mate) : Math.tanh(score.value / (unit === "pawns" ? 4 : 12));
const number = (value) => (Math.abs(value) < 0.005 ? "0" : value.toFixed(2).replace(/\.?0+$/, "").replace("-", "−"));

export class Why {
  constructor(page) {
    this.page = page;
    this.open = false;
    this.side = null;
    this.whose = make("select", { name: "whose", onchange: () => { this.side = this.whose.value; this.ask(); } });
    this.depth = make("input", { name: "depth", type: "number", min: 1, max: 12, value: 4, onchange: () => this.ask() });
    this.movesDepth = make("input", { name: "moves-depth", type: "number", min: 1, max: 12, value: 2, onchange: () => this.ask() });
    this.meter = make("div", { class: "meter", role: "img" }, make("span"));
    this.score = make("p", { id: "why-score" });
    this.best = make("p", { id: "why-best" });
    this.error = make("p", { class: "error", role: "alert" });
    this.graph = svg("svg", { id: "why-graph", viewBox: "0 0 480 90", preserveAspectRatio: "none", role: "img", "aria-label": "score through the game, from white's side" });
    this.graph.addEventListener("click", (event) => {
      const box = this.graph.getBoundingClientRect();
      const last = Math.max(1, this.page.state.moves.length);
      this.page.act("goto", { ply: Math.min(last, Math.round(((event.clientX - box.left) / box.width) * last)) });
    });
    this.terms = make("tbody");
    this.moves = make("ol", { id: "why-moves" });
    this.movesTitle = make("h3");
    this.element = make("div", { class: "why" },
      make("div", { class: "fields" }, make("label", { class: "field" }, "Seen by", this.whose), make("label", { class: "field" }, "Depth", this.depth), make("label", { class: "field" }, "Depth of each move", this.movesDepth)),
      this.error, this.meter, this.score, this.best, this.graph,
      make("h3", {}, "Terms"),
      make("div", { class: "scroll" }, make("table", { id: "why-terms" }, this.head = make("thead"), this.terms)),
      this.movesTitle, this.moves);
  }

  reset() {
    this.side = null;
    this.asked = null;
    this.value = null;
    this.study = null;
  }

  toggle(open) {
    this.open = open;
    this.asked = null;
    if (open) this.ask();
    else if (this.page.state) post(`/api/play/${this.page.state.id}/why`, {}).catch(() => {});
  }

  /** The sides with a bot that can explain itself. */
  #bots() {
    const { seats } = this.page.state;
    return ["white", "black"].filter((side) => seats[side].kind === "bot" && !seats[side].engine);
  }

  seatsChanged() {
    if (!this.open) return;
    const bots = this.#bots();
    const options = [...bots, "study"].join();
    if (options !== this.options) {
      this.options = options;
      const { game, state } = this.page;
      this.whose.replaceChildren(...bots.map((side) => make("option", { value: side }, `${sideName(game, side)}: ${state.seats[side].name}`)), make("option", { value: "study" }, "the strongest evaluator"));
    }
    if (!this.side || (this.side !== "study" && !bots.includes(this.side))) this.side = bots[0] ?? "study";
    this.whose.value = this.side;
    this.ask();
  }

  async #settings() {
    if (this.side !== "study") return this.page.state.seats[this.side].settings;
    const detail = await this.page.detail(this.page.state.game);
    this.study ??= [["name", "study"], ["evaluator", detail.strongest], ["depth", "4"], ["search.profile", "strong"]];
    return this.study;
  }

  /** Asks again if the question has changed. */
  async ask() {
    if (!this.open || !this.page.state) return;
    if (!this.side) { this.seatsChanged(); return; }
    const settings = await this.#settings();
    const question = { settings, depth: Number(this.depth.value), moves_depth: Number(this.movesDepth.value) };
    const asked = JSON.stringify([this.page.state.id, question]);
    if (asked === this.asked) return;
    this.asked = asked;
    try {
      this.error.textContent = "";
      await post(`/api/play/${this.page.state.id}/why`, { why: question });
    } catch (error) { this.error.textContent = error.message; }
  }

  async show(why) {
    this.value = why;
    if (!why || !this.open) return;
    const { state, game } = this.page;
    const detail = await this.page.detail(state.game);
    const unit = detail.countedIn;
    const before = why.before;
    this.element.classList.toggle("stale", why.fen !== state.fen);
    if (!why.score) return;
    const deep = why.best?.score ?? why.score;
    this.meter.firstChild.style.width = `${50 + 50 * bend(deep, unit)}%`;
    this.meter.setAttribute("aria-label", `score ${scoreText(deep)}`);
    const change = (now, was) => (was !== undefined && was !== null && was !== now ? [make("s", {}, was), " → ", make("strong", {}, now)] : [make("strong", {}, now)]);
    this.score.replaceChildren("Score ", ...change(scoreText(why.score), before && scoreText(before.score)), ` ${unit}, from ${sideName(game, "white").toLowerCase()}'s side`);
    if (why.best) {
      const line = why.best.line;
      this.best.replaceChildren(`Best at depth ${why.best.depth}: `, ...change(line[0] ?? "–", before?.best?.line?.[0]), " ", ...change(scoreText(why.best.score), before?.best && scoreText(before.best.score)), make("span", { class: "line" }, ` ${line.slice(1).join(" ")}`));
    } else this.best.textContent = why.cut ? "No line within 60 s: choose a smaller depth." : why.done ? "The game is over." : "Searching …";
    this.#drawGraph(why, unit);
    this.#drawTerms(why, detail);
    this.#drawMoves(why, unit);
  }

  #drawGraph(why, unit) {
    this.graph.replaceChildren();
    const last = Math.max(1, why.graph.length - 1);
    const x = (at) => (at / last) * 480, y = (score) => 45 - bend(score, unit) * 40;
    svg("line", { x1: 0, x2: 480, y1: 45, y2: 45, class: "axis" }, this.graph);
    // One position has no course.
    if (why.graph.length < 2) return;
    const points = why.graph.map((score, at) => `${x(at).toFixed(1)},${y(score).toFixed(1)}`);
    svg("polygon", { points: `0,45 ${points.join(" ")} 480,45`, class: "area" }, this.graph);
    svg("polyline", { points: points.join(" "), class: "curve" }, this.graph);
    // What the bots saw when they moved.
    this.page.state.moves.forEach((move, at) => {
      if (move.found?.score) svg("circle", { cx: x(at + 1).toFixed(1), cy: y(move.found.score).toFixed(1), r: 2.2, class: move.side }, this.graph);
    });
    svg("line", { x1: x(why.at), x2: x(why.at), y1: 0, y2: 90, class: "cursor" }, this.graph);
  }

  #drawTerms(why, detail) {
    const { game, state } = this.page;
    const rows = new Map((detail.evaluators.find((one) => one.name === why.evaluator)?.terms ?? []).map((term) => [term.name, term]));
    const sorted = [...why.terms].sort((a, b) => Math.abs(b.white - b.black) - Math.abs(a.white - a.black));
    const most = Math.max(0.01, ...sorted.map((term) => Math.abs(term.white - term.black)));
    const editable = this.side === "study" || this.#bots().includes(this.side);
    this.head.replaceChildren(make("tr", {}, ["Term", "Weight", sideName(game, "white"), sideName(game, "black"), "Effect", ""].map((text, at) => make("th", { scope: "col", class: at === 5 ? "bars" : at > 1 ? "number" : "" }, text))));
    const focused = this.terms.contains(document.activeElement) ? document.activeElement.name : null;
    if (focused && this.drawn === `${state.id} ${why.evaluator}` && document.activeElement.value !== document.activeElement.defaultValue) return;
    this.drawn = `${state.id} ${why.evaluator}`;
    this.terms.replaceChildren(...sorted.map((term) => {
      const effect = term.white - term.black, row = rows.get(term.name);
      const bar = make("span", { class: `effect ${effect >= 0 ? "plus" : "minus"}` });
      bar.style.width = `${(50 * Math.abs(effect)) / most}%`;
      let weight = term.weight ? (term.weight[0] === term.weight[1] ? number(term.weight[0]) : `${number(term.weight[0])} / ${number(term.weight[1])}`) : "table";
      if (row && editable && row.shape === "number") {
        const value = String(term.weight ? term.weight[0] : row.default);
        const input = make("input", { name: `why.${term.name}`, value, title: `${row.help}; ${row.low} to ${row.high}`, "aria-label": `weight of ${term.name}`, onchange: () => this.#weight(row, input.value) });
        weight = input;
      }
      const counts = (side) => `${number(term[side])}`;
      return make("tr", { "data-term": term.name }, make("th", { scope: "row", title: row?.help ?? "" }, term.name), make("td", {}, weight), make("td", { class: "number", title: `count ${term.whiteCount}` }, counts("white")), make("td", { class: "number", title: `count ${term.blackCount}` }, counts("black")), make("td", { class: "number" }, number(effect)), make("td", { class: "bars" }, bar));
    }));
    if (!sorted.length) this.terms.replaceChildren(make("tr", {}, make("td", { colSpan: 6 }, "This evaluator has no terms.")));
    if (focused) this.terms.querySelector(`[name="${CSS.escape(focused)}"]`)?.focus();
  }

  async #weight(term, value) {
    this.error.textContent = "";
    if (this.side !== "study") {
      const form = this.page.forms[this.side];
      form.settings = new Map(this.page.state.seats[this.side].settings);
      if (!await form.setWeight(term, value)) this.error.textContent = form.error.textContent;
      return;
    }
    const settings = new Map(await this.#settings());
    settings.set(`weights.${term.name}`, value);
    try {
      await post("/api/player", { game: this.page.state.game, settings: [...settings] });
      this.study = [...settings];
      this.ask();
    } catch (error) { this.error.textContent = error.message; }
  }

  #drawMoves(why, unit) {
    const { state } = this.page;
    this.movesTitle.textContent = `Moves at depth ${why.movesDepth}${why.cut ? ", ended after 60 s" : why.done || !why.of ? "" : `, ${why.moves.length} of ${why.of}`}`;
    const was = new Map((why.before?.moves ?? []).map((move) => [move.text, move.score]));
    const mine = why.fen === state.fen && !state.end && state.seats[state.turn].kind === "human";
    this.moves.replaceChildren(...why.moves.map((move) => {
      const bar = make("span", { class: "bar" });
      bar.style.width = `${50 + 50 * bend(move.score, unit)}%`;
      const old = was.get(move.text);
      const moved = old && scoreText(old) !== scoreText(move.score);
      return make("li", {}, make("button", { type: "button", disabled: !mine, onclick: () => this.page.act("move", { move: move.text, at: state.at }) }, move.record), make("span", { class: "track" }, bar), make("span", { class: "value" }, moved ? make("s", {}, scoreText(old)) : null, moved ? " " : null, scoreText(move.score)));
    }));
  }
}
