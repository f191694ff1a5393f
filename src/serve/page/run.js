// One run: what it is doing, its results and charts as games arrive, its latest games on boards, and what can be done with it.

import { get, make, post } from "/assets/kit.js";
import { Board } from "/assets/board.js";
import { badge, progressBar, runPage, showChart, standings, table } from "/assets/chart.js";

/** A board that only shows. */
function still(holder, game, letters, last) {
  const board = new Board(holder, {});
  board.setGame(game);
  board.svg.setAttribute("role", "img");
  board.svg.removeAttribute("tabindex");
  board.show({ letters, last });
  return board;
}

class RunPage {
  constructor(main, id) {
    this.id = id;
    this.api = `/api/run/${encodeURIComponent(id)}`;
    this.title = make("h1", {}, id);
    this.status = make("div", { class: "run-status" });
    this.actions = make("div", { class: "controls", id: "actions" });
    this.message = make("p", { class: "error", role: "alert", id: "message" });
    this.sentences = make("div", { id: "sentences" });
    this.standings = make("section", { class: "card", id: "standings", hidden: true });
    this.charts = make("div", { class: "charts", id: "charts" });
    this.latest = make("section", { id: "latest", hidden: true });
    this.tables = make("section", { id: "tables" });
    this.log = make("details", { class: "card panel", id: "log", hidden: true }, make("summary", {}, "Output of the run"), make("pre", { tabindex: "0" }));
    this.dialog = make("dialog", { id: "viewer", "aria-label": "Game" });
    main.classList.add("run");
    main.replaceChildren(make("p", { class: "faint" }, make("a", { href: "/runs" }, "Runs"), " /"), this.title, this.status, this.actions, this.message, this.sentences, this.standings, this.latest, this.charts, this.tables, this.log, this.dialog);
    this.events = new EventSource(`${this.api}/events`);
    const on = (name, act) => this.events.addEventListener(name, (event) => act.call(this, JSON.parse(event.data)));
    on("head", this.head);
    on("summary", this.summary);
    on("chart", (chart) => showChart(this.charts, chart));
    on("tables", this.tablesOf);
    on("latest", this.boards);
    on("log", ({ text }) => { this.log.hidden = !text.trim(); this.log.querySelector("pre").textContent = text; });
    on("gone", () => { this.message.textContent = "This run directory is gone."; this.events.close(); });
    this.events.onerror = async () => {
      // A stream that was refused does not come back.
      if (this.events.readyState !== EventSource.CLOSED) return;
      try { await get(`${this.api}/events`); } catch (error) { this.message.textContent = error.message; }
    };
  }

  head(run) {
    const before = this.run?.state;
    this.run = run;
    const line = [run.progress, run.read < 1 ? `reading ${Math.floor(run.read * 100)} %` : null, run.timeLeft ? `${run.timeLeft} left` : null, run.verdict].filter(Boolean).join(" · ");
    const what = [run.game, run.kind === "tune" ? `tuning with ${run.method}` : `${run.players} players`, run.seed === null ? null : `seed ${run.seed}`].filter(Boolean).join(", ");
    this.status.replaceChildren(make("p", {}, badge(run.state), " ", make("span", { id: "progress" }, line)), progressBar(run), make("p", { class: "faint" }, what, run.holder && !run.canStop ? ` · played by ${run.holder}` : ""), run.error ? make("p", { class: "error", id: "run-error" }, run.error) : "",
      run.matches.length ? make("p", { class: "faint" }, "Matches of this run: ", run.matches.flatMap((id, at) => [at ? ", " : "", make("a", { href: runPage(id) }, id.split("/").pop())])) : "");
    if (before !== run.state || !this.drawn) this.buttons(run);
    this.drawn = true;
  }

  buttons(run) {
    const act = (path, body) => async () => {
      this.message.textContent = "";
      try { await post(`${this.api}/${path}`, body()); } catch (error) { this.message.textContent = error.message; }
    };
    const button = (id, text, click, kind = "") => make("button", { type: "button", id, class: kind, onclick: click }, text);
    const more = make("input", { type: "number", id: "more", min: "1", value: String(run.pairs ? run.pairs * 2 : 100), "aria-label": run.kind === "tune" ? "games" : "pairs per pairing" });
    const file = (name, text) => make("a", { class: "button", href: `${this.api}/file/${name}`, target: name.endsWith(".html") ? "_blank" : "_self", rel: "noopener" }, text);
    this.actions.replaceChildren(...[
      run.canStop ? button("stop", "Stop", act("stop", () => ({})), "danger") : null,
      run.canResume ? button("resume", "Resume", act("resume", () => ({})), "primary") : null,
      run.canExtend && run.pairs ? make("span", { class: "extend" }, button("extend", "Extend", act("resume", () => ({ more: Number(more.value) }))), "to", more, run.kind === "tune" ? "games" : "pairs per pairing") : null,
      run.hasPage ? file("report.html", "Full report") : null,
      make("a", { class: "button", id: "again", href: `/start?run=${encodeURIComponent(this.id)}` }, "New run from this config"),
      run.kind === "tune" && run.hasPage ? file("weights.toml", "weights.toml") : null,
      run.kind === "match" && run.games ? file("games.csv", "games.csv") : null,
    ].filter(Boolean));
  }

  summary({ sentences, standings: rows }) {
    if (sentences.length) this.sentences.replaceChildren(...sentences.map((sentence) => make("p", {}, sentence)));
    this.standings.hidden = rows.length === 0;
    this.standings.replaceChildren(make("h2", {}, "Standings"), standings(rows));
  }

  tablesOf(tables) {
    this.tables.replaceChildren(...tables.map((one) => make("details", { class: "card panel", open: tables.length === 1 && one.rows.length < 30 }, make("summary", {}, one.title), table(one))));
  }

  async boards({ game, games }) {
    this.latest.hidden = games.length === 0;
    this.games ??= new Map((await get("/api/games")).map((one) => [one.name, one]));
    const facts = this.games.get(game);
    if (!facts) return;
    const cards = games.map((one) => {
      const holder = make("div");
      const card = make("button", { type: "button", class: "card game", "data-game": String(one.number), onclick: () => this.view(one.number) },
        holder, make("span", {}, `${one.white} – ${one.black}`), make("small", {}, `game ${one.number}: ${one.result}, ${one.termination}, ${one.plies} plies`));
      if (one.letters) still(holder, facts, one.letters, null);
      return card;
    });
    this.latest.replaceChildren(make("h2", {}, "Latest games"), make("div", { class: "boards" }, cards));
    const number = make("input", { type: "number", min: "1", value: "1", "aria-label": "number of a game" });
    this.latest.append(make("div", { class: "controls" }, make("span", { class: "faint" }, "Any game by its number"), number, make("button", { type: "button", id: "show-game", onclick: () => this.view(Number(number.value)) }, "Show")));
  }

  async view(number) {
    this.message.textContent = "";
    let game;
    try { game = await get(`${this.api}/game/${number}`); } catch (error) { this.message.textContent = error.message; return; }
    if (!game.letters) { this.message.textContent = `Game ${number} cannot be replayed.`; return; }
    const holder = make("div"), where = make("p", { class: "where", "aria-live": "polite" });
    const slider = make("input", { type: "range", min: "0", max: String(game.moves.length), value: String(game.moves.length), "aria-label": "move", oninput: () => show() });
    const step = (by) => { slider.value = String(Number(slider.value) + by); show(); };
    this.dialog.replaceChildren(make("h2", {}, `${game.white} – ${game.black}`), make("p", { class: "faint" }, `game ${game.number}, pair ${game.pair}: ${game.result}, ${game.termination}`), holder, where, slider,
      make("div", { class: "controls" }, make("button", { type: "button", onclick: () => step(-1) }, "◀"), make("button", { type: "button", onclick: () => step(1) }, "▶"),
        make("a", { class: "button", href: `/play?run=${encodeURIComponent(this.id)}&game=${number}` }, "Play on from this game"), make("button", { type: "button", id: "close", onclick: () => this.dialog.close() }, "Close")));
    const board = still(holder, this.games.get(game.game), game.letters[0], null);
    const show = () => {
      const ply = Number(slider.value), score = game.scores[ply - 1];
      board.show({ letters: game.letters[ply], last: null });
      const value = !score ? "" : score.mate !== undefined ? `, mate in ${Math.abs(score.mate)} for ${score.mate > 0 ? "white" : "black"}` : `, ${score.value > 0 ? "+" : ""}${score.value.toFixed(2)}`;
      where.textContent = ply === 0 ? `the opening, ${game.moves.length} moves follow` : `${ply} of ${game.moves.length}: ${game.moves[ply - 1]}${value}`;
    };
    show();
    this.dialog.showModal();
  }
}

export function open(main) {
  const id = new URLSearchParams(location.search).get("id");
  if (!id) { location.replace("/runs"); return () => {}; }
  document.title = `${id} – Sparring`;
  const page = new RunPage(main, id);
  return () => page.events.close();
}
