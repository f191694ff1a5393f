// The dialog of a new game: game, mode, colour, opponent, clock, and the position it starts from.

import { make, post } from "/assets/kit.js";
import { Board } from "/assets/board.js";
import { opponentSelect, seatOf } from "/assets/form.js";
import { sideName } from "/assets/play.js";

const CLOCKS = [["", "no clock"], ["60000,0", "1 minute"], ["180000,2000", "3 minutes + 2 s"], ["300000,0", "5 minutes"], ["600000,5000", "10 minutes + 5 s"], ["1800000,0", "30 minutes"]];
const MODES = [["bot", "Against a bot"], ["person", "Two players"], ["bots", "Watch two bots"]];
const TITLES = { chess: "Chess", chess960: "Chess960", checkers: "Checkers", english: "English draughts", "connect-four": "Connect Four" };
const title = (game) => TITLES[game.name] ?? `${game.name[0].toUpperCase()}${game.name.slice(1)}${game.collection === "pdn" ? " draughts" : ""}`;

/** The castling rights of a FEN of chess. */
const rightsOf = (fen) => fen.split(" ")[2] ?? "-";

export class NewGame {
  constructor(page) {
    this.page = page;
    this.element = make("dialog", { id: "new-game", "aria-label": "New game" });
  }

  async open() {
    this.name = this.page.state?.game ?? "chess";
    this.letters = null;
    this.mode = this.page.watch ? "bots" : "bot";
    await this.#draw();
    this.element.showModal();
  }

  get game() { return this.page.games.get(this.name); }

  async #draw() {
    const detail = await this.page.detail(this.name);
    this.board = null;
    this.refused = null;
    this.reading = null;
    this.opponents = detail.opponents;
    this.runs = detail.runs;
    const { game } = this;
    this.gameSelect = make("select", { name: "game", onchange: () => { this.name = this.gameSelect.value; this.letters = null; this.#draw(); } }, [...this.page.games.values()].map((one) => make("option", { value: one.name, title: one.help, selected: one.name === this.name }, title(one))));
    const mode = make("div", { class: "choices", role: "radiogroup", "aria-label": "Players" }, MODES.map(([value, text]) => make("label", {}, make("input", { type: "radio", name: "mode", value, checked: value === this.mode, onchange: () => { this.mode = value; this.#mode(); } }), text)));
    const colour = ["white", "black"].map((side) => make("label", {}, make("input", { type: "radio", name: "colour", value: side, checked: side === (this.colour ?? game.firstMover) }), sideName(game, side)));
    this.colourField = make("div", { class: "choices", role: "radiogroup", "aria-label": "Your colour" }, "You play", colour);
    this.first = opponentSelect(detail.opponents, { name: "first" });
    this.second = opponentSelect(detail.opponents, { name: "second" });
    if (detail.opponents.length > 1) this.second.value = "1";
    this.firstLabel = make("span");
    this.firstField = make("label", { class: "field" }, this.firstLabel, this.first);
    this.secondField = make("label", { class: "field" }, sideName(game, "black"), this.second);
    this.clock = make("select", { name: "clock" }, CLOCKS.map(([value, text]) => make("option", { value }, text)));
    this.fen = make("textarea", { name: "fen", class: "text", rows: 2, spellcheck: "false", placeholder: game.fen, onchange: () => this.#follow() });
    this.number = make("input", { name: "start", type: "number", min: 0, max: game.starts - 1, value: game.usualStart });
    this.error = make("p", { class: "error", role: "alert" });
    this.editor = make("details", { class: "editor", ontoggle: () => { if (this.editor.open) this.#edit(); } }, make("summary", {}, "Set up the position on a board"));
    this.report = make("details", {}, make("summary", {}, "Continue a game of a report"), this.#reportFields());
    this.element.replaceChildren(make("form", { method: "dialog", onsubmit: (event) => { event.preventDefault(); this.#start(); } },
      make("h2", {}, "New game"),
      make("label", { class: "field" }, "Game", this.gameSelect), make("p", { class: "faint" }, game.help),
      mode, this.colourField, this.firstField, this.secondField,
      make("div", { class: "fields" }, make("label", { class: "field" }, "Clock", this.clock), game.starts > 1 ? make("label", { class: "field" }, "Start position", this.number) : null),
      make("label", { class: "field" }, `Position (FEN) or a game (${game.collection.toUpperCase()}), empty for the usual start`, this.fen),
      this.editor, this.report, this.error,
      make("div", { class: "controls" }, make("button", { class: "primary", id: "start" }, "Start"), make("button", { type: "button", onclick: () => this.element.close() }, "Cancel"))));
    this.#mode();
  }

  #mode() {
    this.colourField.hidden = this.mode !== "bot";
    this.firstField.hidden = this.mode === "person";
    this.secondField.hidden = this.mode !== "bots";
    this.firstLabel.textContent = this.mode === "bots" ? sideName(this.game, "white") : "Opponent";
  }

  #reportFields() {
    if (!this.runs.length) return make("p", { class: "faint" }, `No run of ${title(this.game)} below the folder of reports yet.`);
    const run = make("select", { name: "run" }, this.runs.map((name) => make("option", {}, name))), game = make("input", { name: "number", type: "number", min: 1, value: 1 });
    const button = make("button", { type: "button", onclick: () => { location.href = `/play?run=${encodeURIComponent(run.value)}&game=${encodeURIComponent(game.value)}`; } }, "Open");
    return make("div", { class: "fields" }, make("label", { class: "field" }, "Run", run), make("label", { class: "field" }, "Game", game), button);
  }

  // The editor: choose a piece, click squares.

  async #edit() {
    if (this.editor.childElementCount > 1) return;
    const { game } = this;
    this.side = make("select", { name: "side" }, ["white", "black"].map((side) => make("option", { value: side, selected: side === game.firstMover }, `${sideName(game, side)} to move`)));
    const holder = make("div", { class: "edit-board" });
    const board = new Board(holder, { edit: (square) => this.#put(board, square) });
    board.editing = true;
    board.setGame(game);
    this.board = board;
    this.letters = [...game.letters];
    const palette = make("div", { class: "palette", role: "radiogroup", "aria-label": "Piece" });
    const disc = !game.numbers.some((one) => one !== null);
    const order = ["piece-k", "piece-q", "piece-r", "piece-b", "piece-n", "piece-p", "man", "king"];
    const rank = ([, [symbol, side]]) => order.indexOf(symbol) + (side === "white" ? 0 : order.length);
    const brushes = Object.entries(game.pieces).sort((a, b) => rank(a) - rank(b)).filter(([, [symbol]]) => !(disc && symbol === "king" && !symbol.startsWith("piece-")));
    this.brush = brushes[0][0];
    for (const [letter, [symbol, side]] of [...brushes, [".", ["", ""]]]) {
      const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
      picture.setAttribute("viewBox", "0 0 45 45");
      if (symbol) {
        const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
        use.setAttribute("href", `#${symbol}`);
        use.setAttribute("class", `men ${symbol.startsWith("piece-") ? "figure" : "disc"} ${side}`);
        picture.append(use);
      }
      const label = symbol ? `${side} ${symbol.replace("piece-", "")}` : "empty";
      palette.append(make("button", { type: "button", "aria-label": label, "aria-pressed": String(letter === this.brush), "data-letter": letter, onclick: (event) => { this.brush = letter; for (const one of palette.children) one.setAttribute("aria-pressed", String(one === event.currentTarget)); } }, symbol ? picture : "✕"));
    }
    const fill = (next, rights) => () => { this.letters = [...next]; this.castling.value = rights; board.show({ letters: this.letters.join("") }); this.#read(); };
    const empty = [...game.letters].map((letter) => (letter === " " ? " " : "."));
    this.side.addEventListener("change", () => this.#read());
    this.castling = make("input", { name: "castling", value: rightsOf(game.fen), "aria-label": "castling rights, such as KQkq", onchange: () => this.#read() });
    this.editor.append(palette, holder, make("div", { class: "controls" }, this.side, game.castling ? make("label", { class: "check" }, "castling", this.castling) : null,
      make("button", { type: "button", onclick: fill(empty, "-") }, "Clear"), make("button", { type: "button", onclick: fill(game.letters, rightsOf(game.fen)) }, "Start position")));
    board.show({ letters: this.letters.join("") });
    if (this.fen.value.trim()) await this.#follow();
  }

  /** Shows in the editor what was typed. */
  async #follow() {
    this.error.textContent = "";
    this.refused = null;
    const text = this.fen.value.trim();
    if (!text || !this.board) return;
    try {
      const { fen } = await post("/api/text", { game: this.name, text });
      const read = await post("/api/position", { game: this.name, fen });
      this.letters = [...read.letters];
      this.side.value = read.turn;
      this.castling.value = rightsOf(read.fen);
      this.board.show({ letters: read.letters });
    } catch (error) { this.#complain(error.message); }
  }

  #put(board, square) {
    if (this.game.letters[square] === " ") return;
    this.letters[square] = this.letters[square] === this.brush ? "." : this.brush;
    board.show({ letters: this.letters.join("") });
    this.#read();
  }

  /** The server reads the squares by the rules, and says what is wrong with them. */
  #read() { this.reading = this.#ask(); }

  async #ask() {
    this.error.textContent = "";
    const rest = this.game.castling ? `${this.castling.value.trim() || "-"} - 0 1` : "";
    try {
      const read = await post("/api/position", { game: this.name, letters: this.letters.join(""), side: this.side.value, rest });
      this.fen.value = read.fen;
      this.refused = null;
    } catch (error) {
      this.fen.value = "";
      this.refused = error.message;
      this.#complain(error.message);
    }
  }

  /** The buttons at the bottom must not cover the message. */
  #complain(message) {
    this.error.textContent = message;
    this.error.scrollIntoView({ block: "center" });
  }

  async #start() {
    await this.reading;
    // The board shows a position that the rules do not allow: it is not replaced by another one.
    if (this.refused) {
      this.#complain(this.refused);
      return;
    }
    this.error.textContent = "";
    const one = (select) => seatOf(this.opponents[Number(select.value)]);
    const human = { kind: "human" };
    this.colour = this.element.querySelector("[name=colour]:checked")?.value ?? "white";
    const seats = {
      bot: () => (this.colour === "white" ? { white: human, black: one(this.first) } : { white: one(this.first), black: human }),
      person: () => ({ white: human, black: human }),
      bots: () => ({ white: one(this.first), black: one(this.second) }),
    }[this.mode]();
    const request = { game: this.name, ...seats, delay: this.mode === "bots" ? 800 : 0 };
    if (this.clock.value) request.clock = this.clock.value.split(",").map(Number);
    try {
      const text = this.fen.value.trim();
      if (text) {
        const read = await post("/api/text", { game: this.name, text });
        request.fen = read.fen;
        request.moves = read.moves;
        // A game is looked at first: the bots wait.
        request.paused = read.moves.length > 0 && this.mode !== "person";
      } else if (this.game.starts > 1) request.start = Number(this.number.value);
      await this.page.start(request);
      this.element.close();
    } catch (error) { this.#complain(error.message); }
  }
}
