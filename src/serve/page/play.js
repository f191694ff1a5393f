// Play and Watch: one game, its board, its controls and its panels.

import { get, make, post } from "/assets/kit.js";
import { Board } from "/assets/board.js";
import { BotForm } from "/assets/form.js";
import { NewGame } from "/assets/newgame.js";
import { Why } from "/assets/why.js";

const REASONS = {
  "no-moves": "no move left", "fifty-move": "fifty moves without progress", "material": "too little material",
  "no-captures": "too long without a capture", "forfeit-time": "time is over", "forfeit-illegal": "no move was found",
  "forfeit-crash": "the engine ended", "forfeit-stall": "the engine does not answer", "line": "four in a line", "board-full": "the board is full",
};

/** What a side is called on the screen. */
export const sideName = (game, side) => game.drops ? { white: "Yellow", black: "Red" }[side] : { white: "White", black: "Black" }[side];

/** A score from white's side as text. */
export const scoreText = (score) => {
  if (!score) return "";
  if (score.mate !== undefined) return `${score.mate < 0 ? "−" : "+"}M${Math.abs(score.mate)}`;
  const value = Math.abs(score.value).toFixed(2);
  return (score.value > 0.004 ? "+" : score.value < -0.004 ? "−" : "") + value;
};

/** A choice that outlives the visit, where the browser keeps any. */
const remembered = (name, fallback) => { try { return localStorage.getItem(name) ?? fallback; } catch { return fallback; } };
const remember = (name, value) => { try { localStorage.setItem(name, value); } catch { /* Only this visit. */ } };

const plain = (number) => number.toLocaleString("en-US");

export async function open(main, watch = false) {
  const games = await get("/api/games");
  const page = new PlayPage(main, games, watch);
  await page.begin();
  return () => page.leave();
}

class PlayPage {
  constructor(main, games, watch) {
    this.games = new Map(games.map((game) => [game.name, game]));
    this.details = new Map();
    this.watch = watch;
    this.state = null;
    this.follow = null;
    this.#build(main);
  }

  #build(main) {
    const button = (id, text, title, action, more = {}) => (this[id] = make("button", { type: "button", id, title, "aria-label": title, onclick: action, ...more }, text));
    const send = (action, body) => () => this.act(action, body);
    this.boardHolder = make("div", { id: "board" });
    this.bars = { white: this.#bar("white"), black: this.#bar("black") };
    this.status = make("p", { id: "status", role: "status" });
    this.endTurn = make("button", { type: "button", id: "end-turn", class: "primary", hidden: true, onclick: () => this.board.endTurn() }, "End turn");
    this.pass = make("button", { type: "button", id: "pass", class: "primary", hidden: true, onclick: () => this.act("move", { move: this.passMove.text, at: this.state.at }) }, "Pass");
    this.now = make("button", { type: "button", id: "now", hidden: true, title: "Play the best move found so far", onclick: send("now") }, "Move now");
    this.back = make("button", { type: "button", id: "continue", class: "primary", hidden: true, onclick: send("continue") }, "Play on from here");
    this.turnBoard = () => { this.turned = !this.turned; this.board.setTurned(this.turned); this.#drawBars(); };
    this.targets = make("input", { type: "checkbox", id: "targets", checked: remembered("targets", "yes") === "yes", onchange: () => { this.board.showTargets = this.targets.checked; this.board.draw(); remember("targets", this.targets.checked ? "yes" : "no"); } });
    const controls = make("div", { class: "controls", role: "toolbar", "aria-label": "Game" },
      button("new", "New game", "New game (n)", () => this.newGame.open(), { class: "primary" }),
      button("undo", "↶", "Take back (u)", send("undo")), button("redo", "↷", "Play again (r)", send("redo")),
      button("turn", "⇅", "Turn the board (f)", this.turnBoard), button("hint", "Hint", "Hint (h)", send("hint")),
      button("draw", "Draw", "Offer a draw", send("draw")), button("resign", "Resign", "Resign", () => this.#confirmResign()),
      make("label", { class: "check" }, this.targets, "Show moves"));
    this.speed = make("input", { type: "range", id: "speed", min: 0, max: 3000, step: 100, value: 800, "aria-label": "Pause between moves", onchange: () => this.act("speed", { delay: Number(this.speed.value) }) });
    this.watching = make("div", { class: "controls watching", role: "toolbar", "aria-label": "Watch" },
      button("pause", "Pause", "Pause or resume (space)", () => this.act("pause", { paused: !this.state.paused })),
      button("step", "Step", "One move (s)", send("step")),
      make("label", { class: "check" }, "fast", this.speed, "slow"));
    this.moves = make("ol", { id: "moves", "aria-label": "Moves" });
    this.thought = make("p", { id: "thought", class: "faint" });
    this.message = make("p", { id: "message", class: "error", role: "alert" });
    this.fen = make("input", { id: "fen", readOnly: true, "aria-label": "FEN of the position", onfocus: () => this.fen.select() });
    this.copied = make("span", { class: "faint", role: "status" });
    this.files = make("div", { class: "files" });
    const panel = (name, title, content, open) => make("details", { class: "card panel", id: `panel-${name}`, open }, make("summary", {}, title), content);
    this.forms = { white: new BotForm(this, "white"), black: new BotForm(this, "black") };
    this.why = new Why(this);
    this.newGame = new NewGame(this);
    this.choice = make("dialog", { id: "choice" });
    this.choice.addEventListener("close", () => this.board.draw());
    main.classList.add("play");
    main.replaceChildren(
      make("h1", { class: "visually-hidden" }, this.watch ? "Watch" : "Play"),
      make("section", { class: "table", "aria-label": "Board" }, this.topBar = make("div"), this.boardHolder, this.bottomBar = make("div"),
        make("div", { class: "turn-actions" }, this.endTurn, this.pass, this.now, this.back), this.watching, controls),
      make("section", { class: "side", "aria-label": "Game" },
        make("div", { class: "card" }, this.status, this.thought, this.message, this.moves),
        this.whyPanel = panel("why", "Why?", this.why.element, remembered(`why-${this.watch}`, "closed") === "open"),
        this.playersPanel = panel("players", "Players", make("div", { class: "forms" }, this.forms.white.element, this.forms.black.element), remembered(`players-${this.watch}`, matchMedia("(min-width: 1000px)").matches ? "open" : "closed") === "open"),
        panel("file", "Position and game as text", make("div", { class: "texts" }, this.fen, this.files, this.copied), false)),
      this.newGame.element, this.choice);
    this.whyPanel.addEventListener("toggle", () => { this.why.toggle(this.whyPanel.open); remember(`why-${this.watch}`, this.whyPanel.open ? "open" : "closed"); });
    this.playersPanel.addEventListener("toggle", () => remember(`players-${this.watch}`, this.playersPanel.open ? "open" : "closed"));
    this.board = new Board(this.boardHolder, {
      move: (move) => this.act("move", { move: move.text, at: this.state.at }),
      choose: (moves) => this.#choose(moves),
      partial: (moves) => { this.endTurn.hidden = !moves; },
    });
    this.board.showTargets = this.targets.checked;
    document.addEventListener("keydown", (event) => this.#key(event));
    document.addEventListener("visibilitychange", () => this.#visibility());
    addEventListener("pagehide", () => this.leave());
    addEventListener("pageshow", (event) => { if (event.persisted && this.state) this.#listen(this.state.id); });
    this.ticking = setInterval(() => { this.#drawClocks(); this.#drawNow(); }, 200);
  }

  #bar(side) {
    const bar = { element: make("div", { class: `bar ${side}` }), dot: make("span", { class: "dot", "aria-hidden": "true" }), name: make("strong"), note: make("span", { class: "faint" }), men: make("span", { class: "men-count faint" }), clock: make("span", { class: "clock", role: "timer" }) };
    bar.element.append(bar.dot, bar.name, bar.note, bar.men, bar.clock);
    return bar;
  }

  // The game: begun, followed, changed.

  async begin() {
    const parameters = new URLSearchParams(location.search);
    if (parameters.has("why")) this.whyPanel.open = true;
    if (parameters.has("run")) {
      try {
        await this.#fromReport(parameters);
        return;
      } catch (error) { this.#complain(error); }
    }
    const id = /^#game-(\d+)$/.exec(location.hash)?.[1];
    if (id) {
      try {
        await this.#enter(await get(`/api/play/${id}`));
        return;
      } catch { /* Closed meanwhile: begin another. */ }
    }
    const detail = await this.detail("chess");
    const [easy, hard] = ["Easy", "Hard"].map((name) => detail.opponents.find((one) => one.name === name));
    const bot = (opponent) => ({ kind: "bot", settings: opponent.settings });
    await this.start(this.watch
      ? { game: "chess", white: bot(easy), black: bot(hard), delay: 800 }
      : { game: "chess", white: { kind: "human" }, black: bot(easy) });
  }

  /** A game of a report: its moves, with the visitor at the move asked for. */
  async #fromReport(parameters) {
    const found = await get(`/api/reported/${encodeURIComponent(parameters.get("run"))}/${encodeURIComponent(parameters.get("game") ?? "1")}`);
    const detail = await this.detail(found.game);
    const bot = { kind: "bot", settings: detail.opponents[0].settings };
    await this.start({ game: found.game, white: { kind: "human" }, black: bot, fen: found.fen || undefined, moves: found.moves, paused: true });
    const ply = Math.min(Number(parameters.get("ply") ?? found.moves.length), found.moves.length);
    await this.act("goto", { ply });
    history.replaceState(null, "", `${location.pathname}#game-${this.state.id}`);
  }

  /** Begins a game; throws the server's message. */
  async start(request) {
    // Refused, it changes nothing: the present game is still shown.
    const state = await post("/api/play", request);
    this.leave();
    await this.#enter(state);
  }

  async #enter(state) {
    history.replaceState(null, "", `${location.pathname}${location.search.includes("run=") ? location.search : ""}#game-${state.id}`);
    const bots = ["white", "black"].filter((side) => state.seats[side].kind === "bot");
    // The visitor sits below.
    this.turned = bots.length === 1 && bots[0] === "white";
    await this.detail(state.game);
    this.why.reset();
    this.#show(state);
    this.board.setTurned(this.turned);
    this.#listen(state.id);
    if (this.whyPanel.open) this.why.toggle(true);
  }

  async detail(game) {
    if (!this.details.has(game)) this.details.set(game, await get(`/api/games/${game}`));
    return this.details.get(game);
  }

  #listen(id) {
    this.follow?.close();
    const follow = new EventSource(`/api/play/${id}/events`);
    this.follow = follow;
    const on = (name, action) => follow.addEventListener(name, (event) => { if (this.follow === follow) action(JSON.parse(event.data)); });
    on("game", (state) => this.#show(state));
    follow.addEventListener("error", () => { if (this.follow === follow && follow.readyState === EventSource.CLOSED) this.#complain(new Error("This game was closed by the server; start a new one.")); });
    on("thought", (thought) => { this.thinking = thought; this.#drawThought(); });
    on("why", (why) => this.why.show(why));
  }

  leave() {
    this.follow?.close();
    this.follow = null;
    if (this.state) navigator.sendBeacon(`/api/play/${this.state.id}/leave`, new Blob(["{}"], { type: "application/json" }));
  }

  /** A hidden page frees its connection: a browser has six for all its tabs. */
  #visibility() {
    clearTimeout(this.hiding);
    if (document.hidden) this.hiding = setTimeout(() => { this.follow?.close(); this.follow = null; }, 5000);
    else if (!this.follow && this.state) this.#listen(this.state.id);
  }

  async act(action, body = {}) {
    try {
      this.message.textContent = "";
      const state = await post(`/api/play/${this.state.id}/${action}`, body);
      this.#show(state);
      return true;
    } catch (error) {
      this.#complain(error);
      this.board.draw();
      return false;
    }
  }

  #complain(error) { this.message.textContent = error.message; }

  // Drawing.

  get game() { return this.games.get(this.state.game); }
  isBot(side) { return this.state.seats[side].kind === "bot"; }

  #show(state) {
    const before = this.state;
    if (before && before.id !== state.id && this.follow) return;
    // The answer to an action may arrive after news that are newer.
    if (before?.id === state.id && state.version < before.version) return;
    this.state = state;
    this.received = performance.now();
    const thinks = state.thinking ? `${state.id} ${state.moves.length}` : null;
    if (thinks !== this.thinks) Object.assign(this, { thinks, began: performance.now(), thinking: null });
    document.documentElement.dataset.game = state.game;
    this.board.setGame(this.game);
    const mine = !state.end && !this.isBot(state.turn);
    const hint = state.hint && state.hint !== "wanted" ? state.hint : null;
    this.board.show({
      letters: state.letters, last: state.last?.route ? ends(state.last.route) : null, check: state.check,
      moves: mine ? state.legal : [], arrow: hint ? hint.routes[0] : null,
    });
    this.passMove = mine ? state.legal.find((move) => move.routes.length === 0) : null;
    this.pass.hidden = !this.passMove;
    if (before?.id === state.id && state.at === before.at + 1 && state.last) this.board.say(`${sideName(this.game, other(state.turn))} played ${state.last.text}`);
    this.#drawBars();
    this.#drawStatus(hint);
    this.#drawMoves(before);
    this.#drawControls();
    for (const side of ["white", "black"]) this.forms[side].show();
    this.why.seatsChanged(before);
    this.fen.value = state.fen;
    if (!before || before.id !== state.id || before.game !== state.game) this.#drawFiles();
  }

  #drawBars() {
    const [top, bottom] = this.turned ? ["white", "black"] : ["black", "white"];
    if (this.topBar.firstChild !== this.bars[top].element) {
      this.topBar.replaceChildren(this.bars[top].element);
      this.bottomBar.replaceChildren(this.bars[bottom].element);
    }
    for (const side of ["white", "black"]) {
      const bar = this.bars[side], seat = this.state.seats[side];
      bar.name.textContent = seat.kind === "bot" ? seat.name : sideName(this.game, side);
      const alone = this.isBot("white") !== this.isBot("black");
      bar.note.textContent = seat.kind === "bot" ? limits(seat.settings) : alone ? "you" : "";
      bar.men.textContent = this.#men(side);
      bar.element.classList.toggle("to-move", !this.state.end && this.state.turn === side);
    }
    this.#drawClocks();
  }

  /** Who has more: in chess the lead in pawns, otherwise the number of pieces. */
  #men(side) {
    const { game, state } = this;
    if (game.drops) return "";
    const worth = (symbol) => (symbol.startsWith("piece-") ? VALUES[symbol.at(-1)] : 1);
    const sums = { white: 0, black: 0 };
    for (const letter of state.letters) {
      const look = game.pieces[letter];
      if (look) sums[look[1]] += worth(look[0]);
    }
    if (!game.castling) return `${sums[side]} ${sums[side] === 1 ? "piece" : "pieces"}`;
    const lead = sums[side] - sums[other(side)];
    return lead > 0 ? `+${lead}` : "";
  }

  #drawClocks() {
    if (!this.state) return;
    const { clock, turn } = this.state;
    for (const side of ["white", "black"]) {
      let text = "";
      if (clock) {
        const passed = clock.running && turn === side ? performance.now() - this.received : 0;
        const left = Math.max(0, clock[side] - passed), seconds = Math.floor(left / 1000);
        const two = (number) => String(number).padStart(2, "0");
        text = seconds >= 3600 ? `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}` : `${Math.floor(seconds / 60)}:${two(seconds % 60)}`;
        if (left < 10000) text += `.${Math.floor((left % 1000) / 100)}`;
        this.bars[side].clock.classList.toggle("low", left < 20000);
      }
      if (this.bars[side].clock.textContent !== text) this.bars[side].clock.textContent = text;
      this.bars[side].clock.hidden = !clock;
    }
  }

  #drawStatus(hint) {
    const { state } = this;
    const to = sideName(this.game, state.turn);
    let text;
    if (state.end) {
      const reason = REASONS[state.end.reason] ?? state.end.reason.replaceAll("-", " ");
      const winner = state.end.winner ? `${sideName(this.game, state.end.winner)} wins` : "Draw";
      text = `${winner}: ${reason}`;
    } else if (state.thinking) text = `${state.seats[state.turn].name} is thinking …`;
    else if (state.at < state.moves.length) text = `Position after ${state.at} of ${state.moves.length} moves; ${to.toLowerCase()} to move`;
    else if (state.paused && this.isBot(state.turn)) text = `Paused; ${to.toLowerCase()} to move`;
    else text = `${to} to move${state.check !== null ? ", check" : ""}`;
    if (state.offer) text += `. ${sideName(this.game, state.offer)} offers a draw`;
    if (state.says) text += `. ${state.says}`;
    if (hint) text += `. Hint: ${hint.record}`;
    else if (state.hint === "wanted") text += ". Looking for a hint …";
    if (this.status.textContent !== text) this.status.textContent = text;
    this.status.classList.toggle("over", Boolean(state.end));
    this.#drawThought();
  }

  #drawThought() {
    const thought = this.thinking;
    this.#drawNow();
    const last = this.state.moves[this.state.at - 1];
    let text = "";
    if (this.state.thinking && thought) text = `depth ${thought.depth}, ${scoreText(thought.score)}, ${plain(thought.nodes)} positions: ${thought.line.slice(0, 8).join(" ")}`;
    else if (last?.found) text = `${last.record}: ${scoreText(last.found.score)} at depth ${last.found.depth}, ${plain(last.found.nodes)} positions in ${last.found.ms} ms`;
    this.thought.textContent = text;
  }

  /** A bot that takes a while can be told to move. */
  #drawNow() {
    this.now.hidden = !this.state?.thinking || performance.now() - this.began < 1000;
  }

  #drawMoves(before) {
    const { state } = this;
    const all = (one) => one.moves.map((move) => move.text).join();
    const same = before?.id === state.id && all(before) === all(state);
    if (!same || !this.moves.children.length) {
      this.moves.replaceChildren();
      const start = state.firstMover !== this.game.firstMover ? 1 : 0;
      let item = null;
      state.moves.forEach((move, index) => {
        if (!item || (index + start) % 2 === 0) {
          item = make("li", {}, make("span", { class: "move-number" }, `${state.firstNumber + Math.floor((index + start) / 2)}.`));
          if (index === 0 && start) item.append(make("span", { class: "move-gap" }, "…"));
          this.moves.append(item);
        }
        item.append(make("button", { type: "button", class: "move", "data-ply": index + 1, title: move.found ? scoreText(move.found.score) : "", onclick: () => this.act("goto", { ply: index + 1 }) }, move.record));
      });
    }
    this.moves.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const now = this.moves.querySelector(`[data-ply="${state.at}"]`);
    now?.setAttribute("aria-current", "true");
    if (now) this.moves.scrollTop = now.offsetTop - this.moves.offsetTop - this.moves.clientHeight / 2;
  }

  #drawControls() {
    const { state } = this;
    const bots = this.isBot("white") && this.isBot("black");
    this.undo.disabled = state.undo === null;
    this.redo.disabled = state.redo === null;
    this.back.hidden = state.at === state.moves.length || Boolean(state.end);
    for (const name of ["draw", "resign"]) this[name].disabled = Boolean(state.end) || bots || state.at < state.moves.length;
    this.draw.textContent = state.offer && state.offer !== state.turn ? "Accept draw" : "Draw";
    this.hint.disabled = Boolean(state.end) || state.bot;
    this.watching.hidden = !bots && !state.paused;
    // What a person at the board does.
    for (const name of ["draw", "resign"]) this[name].hidden = bots;
    this.pause.textContent = state.paused ? "Resume" : "Pause";
    if (document.activeElement !== this.speed) this.speed.value = state.delay;
  }

  #drawFiles() {
    const format = this.game.collection;
    const copy = async (kind) => {
      const response = await fetch(this.#file(kind));
      const text = (await response.text()).trim();
      try {
        await navigator.clipboard.writeText(text);
        this.copied.textContent = `${kind.toUpperCase()} copied`;
      } catch {
        this.copied.textContent = "The browser refuses to copy; use Save";
      }
    };
    this.files.replaceChildren(...["fen", format].flatMap((kind) => [
      make("button", { type: "button", onclick: () => copy(kind) }, `Copy ${kind.toUpperCase()}`),
      make("a", { class: "button", id: `save-${kind}`, href: this.#file(kind), download: "" }, `Save ${kind.toUpperCase()}`)]));
  }

  #file(kind) { return `/api/play/${this.state.id}/export?format=${kind}`; }

  // Input.

  #choose(moves) {
    const side = this.state.turn;
    const option = (move) => {
      const letter = move.text.at(-1).toLowerCase();
      const symbol = `piece-${letter}`;
      const button = make("button", { type: "button", value: move.text, "aria-label": move.record, onclick: () => { this.choice.close(); this.act("move", { move: move.text, at: this.state.at }); } });
      if (document.getElementById(symbol)) {
        const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
        picture.setAttribute("viewBox", "0 0 45 45");
        const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
        use.setAttribute("href", `#${symbol}`);
        use.setAttribute("class", `men figure ${side}`);
        picture.append(use);
        button.append(picture);
      } else button.textContent = move.record;
      return button;
    };
    const buttons = moves.map(option);
    const promotes = buttons.every((button) => button.querySelector("svg"));
    // The queen first: she is wanted most.
    this.#ask(promotes ? "Promote to" : "Which move?", promotes ? buttons.reverse() : buttons);
  }

  #confirmResign() {
    this.#ask("Resign this game?", [make("button", { type: "button", class: "primary", id: "resign-now", onclick: () => { this.choice.close(); this.act("resign"); } }, "Resign")]);
  }

  #ask(question, buttons) {
    this.choice.setAttribute("aria-label", question);
    this.choice.replaceChildren(make("p", {}, question), make("div", { class: "answers" }, buttons, make("button", { type: "button", onclick: () => this.choice.close() }, "Cancel")));
    this.choice.showModal();
  }

  #key(event) {
    if (event.target.matches("input, select, textarea, dialog *, [contenteditable]") || event.altKey || event.ctrlKey || event.metaKey || document.querySelector("dialog[open]")) return;
    const onBoard = event.target.closest?.(".board");
    const actions = { u: () => this.undo.click(), r: () => this.redo.click(), f: this.turnBoard, h: () => this.hint.click(), n: () => this.newGame.open(), s: () => this.step.click() };
    if (!onBoard && !event.target.matches("button, summary, a")) {
      actions[" "] = () => { if (!this.watching.hidden) this.pause.click(); };
    }
    if (!onBoard) {
      actions.ArrowLeft = () => { if (this.state.at > 0) this.act("goto", { ply: this.state.at - 1 }); };
      actions.ArrowRight = () => { if (this.state.at < this.state.moves.length) this.act("goto", { ply: this.state.at + 1 }); };
    }
    if (!actions[event.key]) return;
    event.preventDefault();
    actions[event.key]();
  }
}

/** The usual values of chess pieces, in pawns. */
const VALUES = { p: 1, n: 3, b: 3, r: 5, q: 9, k: 0 };
const other = (side) => (side === "white" ? "black" : "white");
/** First and last square of a route. */
const ends = (route) => (route.length > 1 ? [route[0], route.at(-1)] : route);

/** The limit of a bot in words. */
export const limits = (settings) => {
  const of = new Map(settings);
  const words = [];
  if (of.has("evaluator") && of.get("evaluator") !== of.get("name")) words.push(of.get("evaluator"));
  if (of.has("depth")) words.push(`depth ${of.get("depth")}`);
  if (of.has("nodes")) words.push(`${plain(Number(of.get("nodes")))} nodes`);
  if (of.has("movetime")) words.push(`${Number.parseInt(of.get("movetime"), 10) / 1000} s a move`);
  return words.join(", ") || "engine";
};
