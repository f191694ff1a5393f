// Tables: a click on a head sorts by it, a second click the other way round.
for (const head of document.querySelectorAll("table.sortable th")) {
  head.querySelector("button").addEventListener("click", () => {
    const table = head.closest("table");
    const body = table.tBodies[0];
    const column = [...head.parentNode.children].indexOf(head);
    const numeric = head.classList.contains("number");
    const now = head.getAttribute("aria-sort");
    const first = numeric && head.dataset.first !== "ascending" ? "descending" : "ascending";
    const order = now === null ? first : now === "ascending" ? "descending" : "ascending";
    for (const other of head.parentNode.children) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", order);
    const sign = order === "ascending" ? 1 : -1;
    const value = (row) => {
      const cell = row.cells[column];
      if (!numeric) return cell.textContent;
      // Unknown values last, in both directions.
      return cell.dataset.sort === undefined ? -sign * Infinity : Number(cell.dataset.sort);
    };
    const rows = [...body.rows].map((row) => [value(row), row]);
    rows.sort(([a], [b]) => {
      if (numeric) return a === b ? 0 : sign * (a < b ? -1 : 1);
      return sign * a.localeCompare(b, undefined, { numeric: true });
    });
    for (const [, row] of rows) body.append(row);
  });
}

// The game viewer. Rust has replayed the games: a turn is a text and the squares that change.
(() => {
  const element = (id) => document.getElementById(id);
  const source = element("games-data");
  if (!source) return;
  const data = JSON.parse(source.textContent);
  const SVG = "http://www.w3.org/2000/svg";
  const SQUARES = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const numbered = data.numbers.length > 0;
  const cells = [];
  for (let cell = 0; cell < data.played.length; cell++) if (data.played[cell] === "1") cells.push(cell);
  const games = data.games.map((game) => ({
    number: game[0], white: data.players[game[1]], black: data.players[game[2]], result: game[3],
    ending: data.endings[game[4]], start: data.starts[game[5]], whiteBegins: game[6] === 1,
    turns: game[7], scores: game[8],
  }));
  let current = null, positions = [], texts = [], scores = [], ply = 0, timer = null, touched = false;
  const PAGE = 300;
  let shown = games, limit = PAGE;

  const make = (name, attributes, parent) => {
    const made = document.createElementNS(SVG, name);
    for (const key in attributes) made.setAttribute(key, attributes[key]);
    if (parent) parent.append(made);
    return made;
  };

  // The board of the pages of `sparring serve`: the letters of all squares, and the squares that have changed.
  const board = new Board(element("board"));
  const sides = Object.entries(data.pieces).map(([letter, [shape, white]]) => [letter, [shape, white ? "white" : "black"]]);
  const numbers = [...data.played].map((played, cell) => (numbered && played === "1" ? data.numbers[cells.indexOf(cell)] : null));
  board.setGame({ rows: data.rows, columns: data.columns, row1AtTop: data.row1AtTop, checkered: data.checkered, drops: data.drops, pieces: Object.fromEntries(sides), numbers });
  const drawMen = () => {
    const letters = Array(data.played.length).fill(" "), now = positions[ply], before = ply > 0 ? positions[ply - 1] : now;
    cells.forEach((cell, index) => { letters[cell] = now[index]; });
    board.show({ letters: letters.join(""), last: cells.filter((_, index) => now[index] !== before[index]) });
  };

  // Score graph: white's side up, in pawns or points, on a scale of the game's own.
  const graph = element("graph");
  // A round number that nine of ten scores stay below; the others touch the edge.
  const range = () => {
    const sizes = scores.flatMap((score) => score && Math.abs(score.value) < 1e6 ? [Math.abs(score.value)] : []);
    sizes.sort((a, b) => a - b);
    const most = Math.max(50, 1.1 * (sizes[Math.floor(0.9 * (sizes.length - 1))] || 0));
    const power = 10 ** Math.floor(Math.log10(most));
    return [1, 2, 5, 10].map((factor) => factor * power).find((end) => end >= most);
  };
  const drawGraph = () => {
    graph.replaceChildren();
    const known = scores.some((score) => score !== null);
    graph.style.display = known ? "" : "none";
    element("no-scores").hidden = known;
    const end = range();
    element("graph-high").textContent = known ? `+${end / 100}` : "";
    element("graph-low").textContent = known ? `−${end / 100}` : "";
    if (!known) return;
    const width = 480, height = 110, last = Math.max(1, texts.length);
    graph.setAttribute("viewBox", `0 0 ${width} ${height}`);
    graph.setAttribute("preserveAspectRatio", "none");
    const clamped = (score) => Math.min(1, Math.max(-1, score / end));
    const x = (at) => (at / last) * width, y = (score) => height / 2 - clamped(score) * (height / 2 - 4);
    make("line", { x1: 0, x2: width, y1: height / 2, y2: height / 2, class: "axis", "stroke-dasharray": "5 4" }, graph);
    // Each side's own view of the game: its scores joined.
    for (const [first, side] of [[0, "first-side"], [1, "second-side"]]) {
      const points = scores.flatMap((score, at) => score !== null && at % 2 === first ? [`${x(at + 1).toFixed(1)},${y(score.value).toFixed(1)}`] : []);
      make("polyline", { points: points.join(" "), fill: "none", class: side, "stroke-width": 2, "vector-effect": "non-scaling-stroke" }, graph);
    }
    make("line", { id: "cursor", y1: 0, y2: height, class: "cursor", "vector-effect": "non-scaling-stroke" }, graph);
  };
  const whiteMoved = (at) => current.whiteBegins === (at % 2 === 0);
  graph.addEventListener("click", (event) => {
    const box = graph.getBoundingClientRect();
    go(Math.round(((event.clientX - box.left) / box.width) * texts.length));
  });

  const readScore = (word) => {
    const mate = /^(-?)M(\d+)$/.exec(word);
    if (mate) return { value: mate[1] ? -1e6 : 1e6, text: `${mate[1] ? "−" : "+"}M${mate[2]}` };
    const value = Number(word);
    if (word === "" || Number.isNaN(value)) return null;
    return { value, text: (value > 0 ? "+" : value < 0 ? "−" : "") + (Math.abs(value) / 100).toFixed(2) };
  };

  const open = (game) => {
    stop();
    current = game;
    positions = [[...game.start]];
    texts = [];
    for (const turn of game.turns.split(" ")) {
      const [text, changes] = turn.split(",");
      const next = positions[positions.length - 1].slice();
      for (let at = 0; at < changes.length; at += 2) next[SQUARES.indexOf(changes[at])] = changes[at + 1];
      positions.push(next);
      texts.push(text);
    }
    scores = game.scores ? game.scores.split(" ").map(readScore) : [];
    element("says").textContent = `${game.white} – ${game.black}  ${game.result}`;
    const list = element("moves");
    list.replaceChildren();
    texts.forEach((text, at) => {
      if (whiteMoved(at) || at === 0) {
        const number = document.createElement("i");
        number.textContent = `${Math.floor((at + (game.whiteBegins ? 0 : 1)) / 2) + 1}.${whiteMoved(at) ? "" : ".."}`;
        list.append(number);
      }
      const move = document.createElement("span");
      move.textContent = text;
      move.addEventListener("click", () => go(at + 1));
      list.append(move, " ");
    });
    drawGraph();
    for (const row of element("list").querySelectorAll("tr.now")) row.classList.remove("now");
    showInList();
    go(0);
  };

  // Marks the open game in the list, and scrolls the list to it.
  const showInList = () => {
    const at = shown.indexOf(current);
    if (at >= limit) {
      limit = at + PAGE;
      drawList();
    }
    const list = element("list");
    const row = list.querySelector(`tr[data-game="${games.indexOf(current)}"]`);
    if (!row) return;
    row.classList.add("now");
    const head = list.querySelector("thead").offsetHeight;
    const above = row.offsetTop - head < list.scrollTop, below = row.offsetTop + row.offsetHeight > list.scrollTop + list.clientHeight;
    if (above || below) list.scrollTop = row.offsetTop - head - (list.clientHeight - head - row.offsetHeight) / 2;
  };

  const go = (to) => {
    ply = Math.min(Math.max(to, 0), texts.length);
    drawMen();
    const score = ply > 0 ? scores[ply - 1] : null;
    const mover = ply > 0 ? `${whiteMoved(ply - 1) ? "white" : "black"} played ${texts[ply - 1]}` : "start of the game";
    let where = `${ply} of ${texts.length}: ${mover}`;
    if (score) where += `, score ${score.text}`;
    if (ply === texts.length) where += ` – ${current.result}, ${current.ending || "end"}`;
    element("where").textContent = where;
    const cursor = element("cursor");
    if (cursor) {
      const x = (ply / Math.max(1, texts.length)) * 480;
      cursor.setAttribute("x1", x);
      cursor.setAttribute("x2", x);
    }
    const list = element("moves");
    const was = list.querySelector("span.now");
    if (was) was.classList.remove("now");
    const now = ply > 0 ? list.querySelectorAll("span")[ply - 1] : null;
    if (now) {
      now.classList.add("now");
      list.scrollTop = now.offsetTop - list.offsetTop - list.clientHeight / 2;
    } else list.scrollTop = 0;
    if (ply === texts.length) stop();
    // The address follows the game, once somebody has touched it.
    if (touched) history.replaceState(null, "", `#game-${current.number}${ply > 0 ? `-${ply}` : ""}`);
  };

  const icon = (name) => element("play").querySelector("use").setAttribute("href", `#icon-${name}`);
  const stop = () => { clearInterval(timer); timer = null; icon("play"); };
  const play = () => {
    if (timer) return stop();
    if (ply === texts.length) go(0);
    timer = setInterval(() => go(ply + 1), 700);
    icon("pause");
  };
  const neighbour = (step) => {
    const at = shown.indexOf(current) + step;
    if (at >= 0 && at < shown.length) open(shown[at]);
  };
  const actions = {
    first: () => { stop(); go(0); }, back: () => { stop(); go(ply - 1); }, play,
    next: () => { stop(); go(ply + 1); }, last: () => { stop(); go(texts.length); },
    turn: () => board.setTurned(!board.turned),
  };
  for (const name in actions) element(name).addEventListener("click", actions[name]);
  const keys = {
    ArrowLeft: actions.back, ArrowRight: actions.next, Home: actions.first, End: actions.last,
    " ": actions.play, f: actions.turn, PageUp: () => neighbour(-1), PageDown: () => neighbour(1),
  };
  // Arrows step from anywhere on the page; the other keys also scroll it, so they need the viewer's focus.
  document.addEventListener("keydown", (event) => {
    if (event.target.matches("select, input, textarea") || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === " " && event.target.matches("button")) return;
    const everywhere = event.key === "ArrowLeft" || event.key === "ArrowRight";
    if (!everywhere && !element("viewer").contains(event.target)) return;
    const action = keys[event.key];
    if (!action) return;
    event.preventDefault();
    touched = true;
    action();
  });
  // A click on a button, a move, the graph or the list comes before the step that it asks for.
  element("viewer").addEventListener("click", () => { touched = true; }, true);

  // The list, and what it is filtered by.
  const filters = ["player", "result", "ending"].map((name) => element(`filter-${name}`));
  const fill = (select, values) => {
    for (const value of values) {
      const option = document.createElement("option");
      option.value = value;
      option.textContent = value;
      select.append(option);
    }
  };
  fill(filters[0], [...data.players].sort((a, b) => a.localeCompare(b, undefined, { numeric: true })));
  fill(filters[2], [...data.endings].filter((ending) => ending).sort());
  const drawList = () => {
    const [player, result, ending] = filters.map((select) => select.value);
    shown = games.filter((game) =>
      (!player || game.white === player || game.black === player) &&
      (!ending || game.ending === ending) &&
      (!result || (result === "won" || result === "lost"
        ? (game.result === "1-0" ? game.white : game.result === "0-1" ? game.black : null) !== null && player
          && ((game.result === "1-0" ? game.white : game.black) === player) === (result === "won")
        : game.result === result)));
    const body = element("list").querySelector("tbody");
    body.replaceChildren();
    for (const game of shown.slice(0, limit)) {
      const row = document.createElement("tr");
      row.dataset.game = games.indexOf(game);
      if (game === current) row.className = "now";
      const plies = game.turns.split(" ").length;
      for (const [text, kind] of [[game.number, "number"], [game.white, "name"], [game.black, "name"], [game.result, ""], [game.ending, ""], [plies, "number"]]) {
        const cell = document.createElement("td");
        cell.textContent = text;
        cell.className = kind;
        row.append(cell);
      }
      row.addEventListener("click", () => { open(game); element("viewer").focus({ preventScroll: true }); });
      body.append(row);
    }
    element("found").textContent = shown.length > limit
      ? `${shown.length} games, the first ${limit} listed; scroll for more`
      : `${shown.length} ${shown.length === 1 ? "game" : "games"}`;
  };
  element("list").addEventListener("scroll", (event) => {
    const list = event.target;
    if (limit < shown.length && list.scrollTop + list.clientHeight > list.scrollHeight - 60) {
      limit += PAGE;
      drawList();
    }
  });
  for (const select of filters) select.addEventListener("change", () => { limit = PAGE; drawList(); if (shown.length && !shown.includes(current)) open(shown[0]); else showInList(); });
  drawList();
  // An address that ends in #game-12-30 opens game 12 after 30 plies.
  const follow = () => {
    const link = /^#game-(\d+)(?:-(\d+))?$/.exec(location.hash);
    const game = link && games.find((one) => one.number === Number(link[1]));
    if (!game) return false;
    open(game);
    if (link[2]) go(Number(link[2]));
    element("games").scrollIntoView({ behavior: "instant" });
    return true;
  };
  addEventListener("hashchange", follow);
  if (!follow()) open(games[0]);
})();
