// The board of every game: squares, pieces, marks, and entering a move by clicks, dragging, touch or keys.
//
// Used by the pages of `sparring serve` and by the viewer of a report. It knows no rules. The caller gives the facts of the board (rows, columns, pieces, numbers), the letters
// of the squares, and the legal moves with the squares that each visits; the board leads through them step by step.

const SVG = "http://www.w3.org/2000/svg";
const UNIT = 45;

const svg = (name, attributes = {}, parent = null) => {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (parent) parent.append(element);
  return element;
};

/** Boards of this page so far: each has names of its own for its squares. */
let boards = 0;

const FIGURES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };

export class Board {
  /**
   * @param holder the element that the board fills
   * @param on callbacks: move(move), choose(moves) for a promotion, partial(moves or null) for "End turn", edit(square);
   *   without them it only shows positions
   */
  constructor(holder, on = null) {
    this.holder = holder;
    this.number = ++boards;
    this.on = on;
    this.turned = false;
    this.showTargets = true;
    this.moves = [];
    this.route = [];
    this.cursor = null;
    this.editing = false;
    this.letters = "";
    holder.classList.add("board-holder");
    this.live = document.createElement("div");
    this.live.className = "visually-hidden";
    this.live.setAttribute("aria-live", "polite");
    holder.append(this.live);
  }

  /** The facts of a game, as the server sends them. */
  setGame(game) {
    if (this.game === game) return;
    this.game = game;
    this.count = game.rows * game.columns;
    this.numbered = game.numbers.some((number) => number !== null);
    this.svg?.remove();
    this.svg = svg("svg", { class: `board${game.checkered ? "" : " plain"}${game.drops ? " drops" : ""}`, viewBox: `0 0 ${game.columns * UNIT} ${game.rows * UNIT}`, role: "grid", "aria-label": this.on ? "board: arrows move, enter chooses, escape takes back" : "board" });
    this.layers = {};
    for (const name of ["squares", "marks", "pieces", "targets", "arrows", "hits"]) this.layers[name] = svg("g", { class: name }, this.svg);
    this.layers.arrows.setAttribute("pointer-events", "none");
    this.layers.pieces.setAttribute("pointer-events", "none");
    this.layers.targets.setAttribute("pointer-events", "none");
    this.holder.prepend(this.svg);
    this.holder.style.setProperty("--ratio", game.columns / game.rows);
    if (this.on) this.#listen();
    this.route = [];
    this.cursor = null;
    this.#drawSquares();
  }

  #listen() {
    this.svg.setAttribute("tabindex", "0");
    this.svg.addEventListener("pointerdown", (event) => this.#down(event));
    // A finger on a piece moves the piece, not the page.
    this.svg.addEventListener("touchstart", (event) => { if (this.dragged && event.touches.length === 1) event.preventDefault(); }, { passive: false });
    this.svg.addEventListener("pointermove", (event) => this.#drag(event));
    this.svg.addEventListener("pointerup", (event) => this.#up(event));
    this.svg.addEventListener("pointercancel", () => this.#drop());
    this.svg.addEventListener("keydown", (event) => this.#key(event));
    this.svg.addEventListener("focus", () => { if (this.svg.matches(":focus-visible")) this.#cursorTo(this.cursor ?? this.#firstSquare()); });
    this.svg.addEventListener("blur", () => { this.layers.marks.querySelector(".cursor")?.remove(); });
  }

  /** Which way round: white below, or black. */
  setTurned(turned) {
    if (this.turned === turned) return;
    this.turned = turned;
    this.#drawSquares();
    this.draw();
  }

  /** Pieces that drop fall downwards for both sides. */
  get #upsideDown() { return this.turned && !this.game.drops; }

  /** What is on the board. `moves`: the legal moves that may be entered; none if it is not the visitor's turn. */
  show({ letters, last = null, check = null, moves = [], arrow = null }) {
    const same = letters === this.letters && JSON.stringify(moves) === JSON.stringify(this.moves);
    Object.assign(this, { letters, last, check, moves, arrow });
    if (!same) this.#setRoute([]);
    else this.draw();
  }

  say(text) { this.live.textContent = text; }

  // Squares.

  /** Left and top of a square, in drawing units. */
  place(square) {
    const at = this.#upsideDown ? this.count - 1 - square : square;
    return [(at % this.game.columns) * UNIT, Math.floor(at / this.game.columns) * UNIT];
  }

  /** The name of a square: its number in draughts, otherwise file and rank. */
  name(square) {
    const { columns, numbers } = this.game;
    if (this.numbered) return numbers[square] === null ? "" : String(numbers[square]);
    const file = String.fromCharCode(97 + (square % columns));
    return `${file}${this.#rank(Math.floor(square / columns))}`;
  }

  /** The number of a row, which is counted from the top. */
  #rank(row) { return this.game.row1AtTop ? row + 1 : this.game.rows - row; }

  #id(square) { return `board-${this.number}-square-${square}`; }

  #isPlayed(square) { return !this.numbered || this.game.numbers[square] !== null; }

  #describe(square) {
    const letter = this.letters[square];
    const piece = this.game.pieces[letter];
    const name = this.name(square);
    if (!piece) return `${name}, empty`;
    const [symbol, side] = piece;
    const kind = symbol.startsWith("piece-") ? FIGURES[symbol.slice(6)] : this.numbered ? symbol : "disc";
    return `${name}, ${side} ${kind}`;
  }

  #drawSquares() {
    const { squares, hits } = this.layers;
    squares.replaceChildren();
    hits.replaceChildren();
    const { rows, columns, checkered } = this.game;
    for (let row = 0; row < rows; row++) {
      const line = svg("g", { role: "row" }, hits);
      for (let column = 0; column < columns; column++) {
        const square = row * columns + column;
        const [x, y] = this.place(square);
        const dark = checkered && (this.numbered ? this.#isPlayed(square) : (row + column) % 2 === 1);
        svg("rect", { x, y, width: UNIT, height: UNIT, class: checkered ? (dark ? "dark" : "light") : "flat" }, squares);
        if (!checkered && !this.game.drops) svg("rect", { x: x + .5, y: y + .5, width: UNIT - 1, height: UNIT - 1, class: "line" }, squares);
        if (this.game.drops) svg("circle", { cx: x + UNIT / 2, cy: y + UNIT / 2, r: UNIT * .41, class: "hole" }, squares);
        if (this.numbered && this.#isPlayed(square)) {
          svg("text", { x: x + 2.5, y: y + 9.5, class: "number" }, squares).textContent = this.game.numbers[square];
        }
        if (!this.numbered) {
          const tone = dark ? "on-dark" : "on-light";
          if (y === (rows - 1) * UNIT) svg("text", { x: x + UNIT - 3, y: y + UNIT - 3.5, "text-anchor": "end", class: `coordinate ${tone}` }, squares).textContent = String.fromCharCode(97 + column);
          if (x === 0 && !this.game.drops) svg("text", { x: 3, y: y + 10, class: `coordinate ${tone}` }, squares).textContent = this.#rank(row);
        }
        const hit = svg("rect", { x, y, width: UNIT, height: UNIT, class: "hit", role: "gridcell", "data-square": square }, line);
        hit.id = this.#id(square);
      }
    }
  }

  // Moves: every candidate is a move with one of its routes that begins with the squares chosen so far.

  #candidates(route = this.route) {
    const all = [];
    for (const move of this.moves) {
      for (const way of move.routes) {
        if (route.every((square, step) => way[step] === square)) all.push({ move, way });
      }
    }
    return all;
  }

  #setRoute(route) {
    this.route = route;
    const complete = this.#complete();
    this.on?.partial?.(route.length > 1 && complete.length ? complete : null, route);
    this.draw();
  }

  /** The moves that end where the route ends now. */
  #complete(route = this.route) {
    const found = new Map();
    for (const { move, way } of this.#candidates(route)) if (way.length === route.length) found.set(move.text, move);
    return [...found.values()];
  }

  /** Ends a chain of captures on the present square. */
  endTurn() {
    const moves = this.#complete();
    if (moves.length) this.#finish(moves);
  }

  #finish(moves) {
    this.route = [];
    this.on.partial?.(null, []);
    if (moves.length === 1) this.on.move(moves[0]);
    else this.on.choose(moves);
  }

  /** A square was chosen; true if it meant something. */
  choose(square) {
    if (this.editing) { this.on.edit(square); return true; }
    if (this.game.drops) {
      const column = square % this.game.columns;
      const move = this.moves.find((one) => one.routes.some((way) => way[0] % this.game.columns === column));
      if (move) this.#finish([move]);
      return Boolean(move);
    }
    if (this.route.length) {
      const step = this.route.length;
      const longer = this.#candidates().filter(({ way }) => way[step] === square);
      if (longer.length) { this.#follow([...this.route, square]); return true; }
      // The last square of a chain, if only one move ends there. A second click on the piece puts it down, although a
      // chain may come back to its square.
      const ends = new Map();
      if (step > 1 || square !== this.route[0]) for (const { move, way } of this.#candidates()) if (way.length > step && way.at(-1) === square) ends.set(move.text, { move, way });
      if (ends.size === 1) { this.#finish([[...ends.values()][0].move]); return true; }
      if (ends.size > 1) { this.say("several ways lead there: go square by square"); this.draw(); return true; }
    }
    if (this.#candidates([square]).length) {
      const again = this.route.length === 1 && this.route[0] === square;
      this.#follow(again ? [] : [square]);
      return true;
    }
    // In the middle of a chain only the moving piece may continue; a stray click changes nothing.
    if (this.route.length <= 1) this.#setRoute([]);
    return false;
  }

  #follow(route) {
    const candidates = this.#candidates(route);
    const complete = this.#complete(route);
    const goesOn = candidates.some(({ way }) => way.length > route.length);
    if (route.length && complete.length && !goesOn) { this.#finish(complete); return; }
    this.#setRoute(route);
    if (route.length) {
      const targets = [...new Set(candidates.map(({ way }) => way[route.length]).filter((to) => to !== undefined))];
      this.say(`${this.#describe(route[0])}${route.length > 1 ? ` on ${this.name(route.at(-1))}` : ""}: to ${targets.map((to) => this.name(to)).join(", ")}${complete.length && route.length > 1 ? ", or end the turn" : ""}`);
    }
  }

  /** Takes back the last square chosen. */
  back() { this.#setRoute(this.route.slice(0, -1)); }

  // Drawing.

  /** The letters while a chain is entered: the piece stands on the last square chosen, what it jumped is faint. */
  #shown() {
    const letters = [...this.letters];
    const taken = new Set();
    if (this.route.length > 1) {
      const mover = letters[this.route[0]];
      const side = this.game.pieces[mover]?.[1];
      letters[this.route[0]] = ".";
      for (let step = 1; step < this.route.length; step++) {
        for (const square of between(this.route[step - 1], this.route[step], this.game.columns)) {
          const other = this.game.pieces[letters[square]];
          if (other && other[1] !== side) taken.add(square);
        }
      }
      letters[this.route.at(-1)] = mover;
    }
    return { letters, taken };
  }

  draw() {
    if (!this.game || !this.letters) return;
    const { marks, pieces, targets, arrows } = this.layers;
    const cursor = marks.querySelector(".cursor");
    marks.replaceChildren();
    pieces.replaceChildren();
    targets.replaceChildren();
    arrows.replaceChildren();
    const mark = (square, kind) => {
      const [x, y] = this.place(square);
      svg("rect", { x, y, width: UNIT, height: UNIT, class: kind }, marks);
    };
    for (const square of this.last ?? []) mark(square, "last");
    if (this.check !== null) mark(this.check, "check");
    for (const square of this.route) mark(square, "chosen");
    if (cursor && document.activeElement === this.svg) marks.append(cursor);
    const { letters, taken } = this.#shown();
    for (let square = 0; square < this.count; square++) {
      const look = this.game.pieces[letters[square]];
      const hit = this.layers.hits.querySelector(`[data-square="${square}"]`);
      hit.setAttribute("aria-label", this.#describe(square));
      hit.classList.toggle("movable", this.#isMovable(square));
      if (!look) continue;
      this.#drawPiece(pieces, square, look, taken.has(square)).dataset.letter = letters[square];
    }
    this.#drawTargets(targets, letters);
    if (this.arrow?.length) this.#drawArrow(arrows, this.arrow);
  }

  #drawPiece(layer, square, [symbol, side], faint) {
    const [x, y] = this.place(square);
    const figure = symbol.startsWith("piece-");
    const kind = this.numbered || figure ? symbol : "disc";
    const style = `men ${figure ? "figure" : "disc"} ${side}${faint ? " taken" : ""}`;
    if (kind === "disc") {
      const group = svg("g", { class: `${style} flat-disc`, "data-square": square }, layer);
      svg("circle", { cx: x + UNIT / 2, cy: y + UNIT / 2, r: UNIT * .4 }, group);
      svg("circle", { cx: x + UNIT / 2, cy: y + UNIT / 2, r: UNIT * .29, class: "detail" }, group);
      return group;
    }
    const pad = figure ? 1 : 2.5;
    return svg("use", { href: `#${symbol}`, x: x + pad, y: y + pad, width: UNIT - 2 * pad, height: UNIT - 2 * pad, class: style, "data-square": square }, layer);
  }

  #isMovable(square) {
    if (this.editing) return true;
    if (this.game.drops) return this.moves.some((move) => move.routes.some((way) => way[0] % this.game.columns === square % this.game.columns));
    return this.#candidates([square]).length > 0;
  }

  #drawTargets(layer, letters) {
    if (!this.showTargets || this.editing) return;
    const step = this.route.length;
    const single = step === 0 && this.moves.every((move) => move.routes.every((way) => way.length === 1));
    if (step === 0 && !single) return;
    const squares = new Set(this.#candidates().map(({ way }) => way[step]).filter((to) => to !== undefined));
    for (const square of squares) {
      const [x, y] = this.place(square);
      const occupied = this.game.pieces[letters[square]];
      if (occupied) svg("circle", { cx: x + UNIT / 2, cy: y + UNIT / 2, r: UNIT * .44, class: "target ring" }, layer);
      else svg("circle", { cx: x + UNIT / 2, cy: y + UNIT / 2, r: UNIT * (single ? .1 : .15), class: "target" }, layer);
    }
  }

  #drawArrow(layer, route) {
    const centre = (square) => this.place(square).map((at) => at + UNIT / 2);
    if (route.length === 1) {
      const [x, y] = centre(route[0]);
      svg("circle", { cx: x, cy: y, r: UNIT * .4, class: "arrow round" }, layer);
      return;
    }
    const points = route.map(centre);
    const [x2, y2] = points.at(-1), [x1, y1] = points.at(-2);
    const length = Math.hypot(x2 - x1, y2 - y1) || 1, dx = (x2 - x1) / length, dy = (y2 - y1) / length;
    const tip = 13;
    points[points.length - 1] = [x2 - dx * tip, y2 - dy * tip];
    svg("polyline", { points: points.map((point) => point.join(",")).join(" "), class: "arrow" }, layer);
    const left = [x2 - dx * tip - dy * 8, y2 - dy * tip + dx * 8], right = [x2 - dx * tip + dy * 8, y2 - dy * tip - dx * 8];
    svg("polygon", { points: [[x2, y2], left, right].map((point) => point.join(",")).join(" "), class: "arrow-head" }, layer);
  }

  // Pointer.

  #squareAt(event) {
    const box = this.svg.getBoundingClientRect();
    const column = Math.floor(((event.clientX - box.left) / box.width) * this.game.columns);
    const row = Math.floor(((event.clientY - box.top) / box.height) * this.game.rows);
    if (column < 0 || row < 0 || column >= this.game.columns || row >= this.game.rows) return null;
    const at = row * this.game.columns + column;
    return this.#upsideDown ? this.count - 1 - at : at;
  }

  #down(event) {
    if (event.button !== 0) return;
    const square = this.#squareAt(event);
    if (square === null) return;
    const chosen = this.route.at(-1) === square;
    const had = this.route.length;
    const meant = this.choose(square);
    // Lifting the same piece again by a drag keeps it; a plain second click has put it down.
    if (meant && !this.editing && this.route.at(-1) === square && this.route.length) {
      this.dragged = { from: square, x: event.clientX, y: event.clientY, moved: false, id: event.pointerId };
      this.svg.setPointerCapture?.(event.pointerId);
      if (event.pointerType !== "mouse") event.preventDefault();
    } else if (chosen && had === 1 && meant && !this.editing) {
      this.dragged = { from: square, x: event.clientX, y: event.clientY, moved: false, id: event.pointerId, again: true };
    }
  }

  #drag(event) {
    const drag = this.dragged;
    if (!drag || event.pointerId !== drag.id) return;
    if (!drag.moved && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < 6) return;
    if (!drag.moved && drag.again) { this.#setRoute([drag.from]); drag.again = false; }
    drag.moved = true;
    const box = this.svg.getBoundingClientRect(), scale = (this.game.columns * UNIT) / box.width;
    const piece = this.layers.pieces.querySelector(`[data-square="${drag.from}"]`);
    const [x, y] = this.place(drag.from);
    const dx = (event.clientX - box.left) * scale - (x + UNIT / 2), dy = (event.clientY - box.top) * scale - (y + UNIT / 2);
    piece?.setAttribute("transform", `translate(${dx.toFixed(1)} ${dy.toFixed(1)})`);
    if (piece && piece.nextSibling) this.layers.pieces.append(piece);
  }

  #up(event) {
    const drag = this.dragged;
    this.dragged = null;
    if (!drag?.moved) return;
    const square = this.#squareAt(event);
    this.draw();
    if (square !== null && square !== drag.from) this.choose(square);
  }

  #drop() {
    this.dragged = null;
    this.draw();
  }

  // Keys.

  #firstSquare() {
    const movable = [...Array(this.count).keys()].find((square) => this.#isMovable(square));
    return movable ?? 0;
  }

  #cursorTo(square) {
    this.cursor = square;
    this.layers.marks.querySelector(".cursor")?.remove();
    const [x, y] = this.place(square);
    svg("rect", { x: x + 1.5, y: y + 1.5, width: UNIT - 3, height: UNIT - 3, class: "cursor" }, this.layers.marks);
    this.svg.setAttribute("aria-activedescendant", this.#id(square));
    this.say(this.#describe(square) || "not played on");
  }

  #key(event) {
    const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
    const step = steps[event.key];
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (step) {
      event.preventDefault();
      const { rows, columns } = this.game, sign = this.#upsideDown ? -1 : 1;
      if (this.cursor === null) { this.#cursorTo(this.#firstSquare()); return; }
      let row = Math.floor(this.cursor / columns), column = this.cursor % columns;
      row = Math.min(rows - 1, Math.max(0, row + sign * step[0]));
      column = Math.min(columns - 1, Math.max(0, column + sign * step[1]));
      this.#cursorTo(row * columns + column);
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      if (this.cursor !== null) this.choose(this.cursor);
    } else if (event.key === "Escape" && this.route.length) {
      event.preventDefault();
      this.back();
    }
  }
}

/** The squares strictly between two on a line. */
function between(from, to, columns) {
  const [r1, c1, r2, c2] = [Math.floor(from / columns), from % columns, Math.floor(to / columns), to % columns];
  const length = Math.max(Math.abs(r2 - r1), Math.abs(c2 - c1));
  const squares = [];
  for (let step = 1; step < length; step++) {
    squares.push(Math.round(r1 + ((r2 - r1) * step) / length) * columns + Math.round(c1 + ((c2 - c1) * step) / length));
  }
  return squares;
}
