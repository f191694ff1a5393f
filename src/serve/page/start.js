// New run: a config or a template, edited with its errors shown at their line, then started.

import { get, make, post } from "/assets/kit.js";
import { runPage } from "/assets/chart.js";

const WAIT = 250;

class StartPage {
  constructor(main) {
    this.asked = 0;
    this.main = main;
    this.source = make("select", { name: "source", onchange: () => this.load() });
    this.lines = make("pre", { class: "line-numbers", "aria-hidden": "true" });
    this.text = make("textarea", { name: "config", spellcheck: "false", wrap: "off", "aria-label": "config", "aria-describedby": "verdict", oninput: () => this.changed(), onscroll: () => { this.lines.scrollTop = this.text.scrollTop; } });
    this.verdict = make("div", { id: "verdict", "aria-live": "polite" });
    this.name = make("input", { name: "name", required: true, maxlength: "100", oninput: () => { this.named = true; } });
    this.threads = make("input", { name: "threads", type: "number", min: "1" });
    this.run = make("button", { type: "button", class: "primary", id: "run", disabled: true, onclick: () => this.start() }, "Run");
    this.error = make("p", { class: "error", role: "alert", id: "error" });
    main.classList.add("start");
    main.replaceChildren(make("p", { class: "faint" }, make("a", { href: "/runs" }, "Runs"), " /"), make("h1", {}, "New run"),
      make("div", { class: "start-grid" },
        make("section", { class: "card" }, make("label", { class: "field" }, "Begin with", this.source), make("div", { class: "editor-box" }, this.lines, this.text)),
        make("section", { class: "card side" }, this.verdict, make("label", { class: "field" }, "Name of the run directory", this.name), make("label", { class: "field" }, "Threads", this.threads), this.run, this.error,
          make("p", { class: "faint" }, "The run continues when this page or the server is closed. Paths in the config are relative to the folder of configs. Engines start only if a config in that folder starts them in the same way."))));
    this.begin();
  }

  async begin() {
    const { configs, games, threads } = await get("/api/configs");
    this.threads.max = String(threads);
    this.threads.value = String(threads);
    const run = new URLSearchParams(location.search).get("run");
    const group = (label, kind, names, text = (name) => name) => (names.length ? make("optgroup", { label }, names.map((name) => make("option", { value: `${kind}:${name}` }, text(name)))) : null);
    this.source.append(...[run ? group("Run", "run", [run]) : null, group("Configs", "config", configs), group("Templates with every key", "game", games, (name) => `new ${name} config`)].filter(Boolean));
    if (!run) this.source.value = configs.includes("quickstart.toml") ? "config:quickstart.toml" : this.source.options[0]?.value ?? "";
    await this.load();
  }

  async load() {
    const at = this.source.value.indexOf(":");
    const kind = this.source.value.slice(0, at), name = this.source.value.slice(at + 1);
    this.from = kind === "run" ? name : null;
    this.named = false;
    try {
      const { text } = await get(`/api/configs/${kind}/${encodeURIComponent(name)}`);
      this.text.value = text;
      this.error.textContent = "";
      await this.check();
    } catch (error) { this.error.textContent = error.message; }
  }

  changed() {
    this.number([]);
    this.run.disabled = true;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.check(), WAIT);
  }

  /** Line numbers; those of errors are marked. */
  number(errors) {
    const marked = new Set(errors.map((error) => error.line));
    const count = this.text.value.split("\n").length;
    this.lines.replaceChildren(...Array.from({ length: count }, (_, at) => make("span", { class: marked.has(at + 1) ? "wrong" : "" }, `${at + 1}\n`)));
    this.lines.scrollTop = this.text.scrollTop;
  }

  async check() {
    const number = ++this.asked;
    let found;
    try { found = await post("/api/draft", { text: this.text.value, run: this.from }); } catch (error) { found = { errors: [{ line: null, message: error.message }] }; }
    // An answer to an older text is of no use.
    if (number !== this.asked) return;
    this.number(found.errors);
    this.run.disabled = found.errors.length > 0;
    if (found.errors.length) {
      this.verdict.replaceChildren(...found.errors.map(({ line, message }) => make("p", { class: "error config-error" }, line ? make("button", { type: "button", class: "link", onclick: () => this.goTo(line) }, `line ${line}`) : "", line ? ": " : "", message)));
      return;
    }
    if (!this.named) this.name.value = this.from ? `${found.name}-again` : found.name;
    const sprt = found.sprt ? `, SPRT [${found.sprt.elo0}, ${found.sprt.elo1}] ${found.sprt.model}` : "";
    const games = found.games ? `${found.sprt ? "at most " : ""}${found.games.toLocaleString("en")} games` : "a fit to positions";
    this.verdict.replaceChildren(make("p", { class: "good" }, `${found.kind === "tune" ? "Tuning" : "Match"} of ${found.game}: ${found.players.length} player${found.players.length === 1 ? "" : "s"}, ${games}${sprt}.`),
      ...found.warnings.map((warning) => make("p", { class: "warn" }, warning)), found.reproducible ? "" : make("p", { class: "faint" }, "Not reproducible: engines or time limits."));
  }

  /** Selects a line. */
  goTo(line) {
    const before = this.text.value.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    const end = this.text.value.indexOf("\n", before);
    this.text.focus();
    this.text.setSelectionRange(before, end < 0 ? this.text.value.length : end);
    this.text.scrollTop = (line - 4) * parseFloat(getComputedStyle(this.text).lineHeight);
  }

  async start() {
    this.error.textContent = "";
    this.run.disabled = true;
    try {
      const { run } = await post("/api/start", { text: this.text.value, run: this.from, name: this.name.value, threads: Number(this.threads.value) || null });
      location.href = runPage(run);
    } catch (error) {
      this.error.textContent = error.message;
      this.run.disabled = false;
    }
  }
}

export function open(main) {
  const page = new StartPage(main);
  return () => clearTimeout(page.timer);
}
