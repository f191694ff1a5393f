// The form of a bot: who it is, how long it searches, and every weight with its range. A change holds at once.

import { make, post } from "/assets/kit.js";
import { sideName } from "/assets/play.js";

/** A select of opponents in groups. */
export function opponentSelect(opponents, attributes = {}) {
  const select = make("select", attributes);
  const groups = new Map();
  opponents.forEach((one, index) => {
    if (!groups.has(one.group)) {
      groups.set(one.group, make("optgroup", { label: one.group }));
      select.append(groups.get(one.group));
    }
    groups.get(one.group).append(make("option", { value: String(index), title: one.help }, one.help && one.group === "Levels" ? `${one.name} – ${one.help}` : one.name));
  });
  return select;
}

/** What to send for an opponent of the list. */
export const seatOf = (opponent) => opponent.engine ? { kind: "engine", ...opponent.engine } : { kind: "bot", settings: opponent.settings };

const LIMITS = { depth: ["Depth (plies)", "3"], nodes: ["Positions", "100000"], movetime: ["Time", "1s"] };

export class BotForm {
  constructor(page, side) {
    this.page = page;
    this.side = side;
    this.element = make("fieldset", { class: "form", id: `form-${side}` });
    this.shown = "";
    this.element.addEventListener("change", (event) => { this.changed = event.target; }, true);
  }

  /** Draws the form again if the seat has changed. */
  async show() {
    const { state } = this.page;
    const seat = state.seats[this.side];
    const shown = JSON.stringify([state.id, state.game, seat]);
    if (shown === this.shown) return;
    this.shown = shown;
    const detail = await this.page.detail(state.game);
    if (shown !== this.shown) return;
    const focused = this.element.contains(document.activeElement) ? document.activeElement.name : null;
    const open = [...this.element.querySelectorAll("details[open]")].map((one) => one.dataset.group);
    this.#draw(seat, detail, new Set(open));
    if (focused) this.element.querySelector(`[name="${CSS.escape(focused)}"]`)?.focus();
  }

  #draw(seat, detail, open) {
    const game = this.page.game;
    this.settings = new Map(seat.settings ?? []);
    const who = opponentSelect(detail.opponents, { name: "who", onchange: () => this.#seat(who.value === "human" ? { kind: "human" } : seatOf(detail.opponents[Number(who.value)])) });
    who.prepend(make("option", { value: "human" }, "A person at this page"));
    const same = (one) => seat.engine ? one.engine && one.engine.config === seat.engine.config && one.engine.player === seat.engine.player : JSON.stringify(one.settings) === JSON.stringify(seat.settings);
    const at = detail.opponents.findIndex(same);
    if (seat.kind === "human") who.value = "human";
    else if (at >= 0) who.value = String(at);
    else {
      who.prepend(make("option", { value: "own", selected: true }, `${seat.name}, changed`));
      who.value = "own";
    }
    this.error = make("p", { class: "error", role: "alert" });
    this.element.replaceChildren(make("legend", {}, `${sideName(game, this.side)}`), make("label", { class: "field" }, "Player", who), this.error);
    if (seat.kind !== "bot" || seat.engine) return;
    const evaluator = make("select", { name: "evaluator", onchange: () => this.#evaluator(evaluator.value) }, detail.evaluators.map((one) => make("option", { value: one.name, title: one.help, selected: one.name === this.settings.get("evaluator") }, one.name)));
    const own = this.settings.get("evaluator");
    // The file of a net is no preset.
    if (!detail.evaluators.some((one) => one.name === own)) evaluator.append(make("option", { value: own, selected: true, title: own }, own.split(/[\\/]/).at(-1)));
    const kind = Object.keys(LIMITS).find((key) => this.settings.has(key)) ?? "depth";
    const limit = make("select", { name: "limit", onchange: () => this.#limit(limit.value, LIMITS[limit.value][1]) }, Object.entries(LIMITS).map(([key, [label]]) => make("option", { value: key, selected: key === kind }, label)));
    const amount = make("input", { name: "amount", value: this.settings.get(kind) ?? "", onchange: () => this.#limit(kind, amount.value), "aria-label": LIMITS[kind][0] });
    const profile = make("select", { name: "profile", onchange: () => this.#profile(profile.value) }, make("option", { value: "" }, "plain"), detail.profiles.map((one) => make("option", { value: one.name, title: one.help, selected: one.name === this.settings.get("search.profile") }, one.name)));
    this.element.append(make("div", { class: "fields" }, make("label", { class: "field" }, "Evaluator", evaluator), make("label", { class: "field" }, "Limit", limit), make("label", { class: "field" }, "Value", amount), make("label", { class: "field" }, "Search", profile)));
    this.element.append(this.#options(detail, open));
    const terms = detail.evaluators.find((one) => one.name === this.settings.get("evaluator"))?.terms ?? [];
    if (terms.length) this.element.append(this.#weights(terms, open));
  }

  #options(detail, open) {
    const profile = detail.profiles.find((one) => one.name === this.settings.get("search.profile"));
    const base = profile?.values ?? detail.plain;
    const set = detail.options.filter((row) => this.settings.has(`search.${row.name}`));
    const field = (row) => {
      const key = `search.${row.name}`, value = this.settings.get(key) ?? base[row.name];
      const change = (given) => {
        if (given.trim() === base[row.name]) this.settings.delete(key);
        else this.settings.set(key, given);
        this.#send();
      };
      const attributes = { name: key, class: this.settings.has(key) ? "changed" : "" };
      const input = row.choices.length
        ? make("select", { ...attributes, onchange: () => change(input.value) }, row.choices.map((one) => make("option", { value: one, selected: one === value }, one)))
        : make("input", { ...attributes, value, onchange: () => change(input.value) });
      const range = row.range ? `; ${row.range[0]} to ${row.range[1]}` : "";
      return make("label", { class: "weight" }, make("span", {}, row.name), input, make("small", {}, row.help + range));
    };
    return make("details", { class: "all-weights", "data-group": "options", open: open.has("options") }, make("summary", {}, `Search options${set.length ? `, ${set.length} changed` : ""}`), make("div", { class: "weights" }, detail.options.map(field)));
  }

  #weights(terms, open) {
    const groups = new Map();
    for (const term of terms) groups.set(term.group, [...(groups.get(term.group) ?? []), term]);
    const changed = terms.filter((term) => this.settings.has(`weights.${term.name}`)).length;
    const reset = make("button", { type: "button", disabled: !changed, onclick: () => { for (const key of [...this.settings.keys()]) if (key.startsWith("weights.")) this.settings.delete(key); this.#send(); } }, "Reset");
    const field = (term) => {
      const key = `weights.${term.name}`;
      const value = this.settings.get(key) ?? term.default, wide = term.default.length > 12;
      const attributes = { name: key, class: this.settings.has(key) ? "changed" : "", onchange: () => this.setWeight(term, input.value) };
      const input = wide ? make("textarea", { ...attributes, rows: value.length > 120 ? 4 : 2, spellcheck: "false" }) : make("input", attributes);
      input.value = value;
      return make("label", { class: wide ? "weight wide" : "weight", title: `${term.help} (${term.shape}, ${term.low} to ${term.high})` }, make("span", {}, term.name), input, make("small", {}, `${term.help}; ${term.low} to ${term.high}`));
    };
    const body = [...groups].map(([group, list]) => make("details", { "data-group": group, open: open.has(group) || terms.length < 25 }, make("summary", {}, group), make("div", { class: "weights" }, list.map(field))));
    return make("details", { class: "all-weights", "data-group": "all", open: open.has("all") }, make("summary", {}, `Weights${changed ? `, ${changed} changed` : ""}`), body, reset);
  }

  setWeight(term, value) {
    const key = `weights.${term.name}`;
    if (value.trim() === term.default) this.settings.delete(key);
    else this.settings.set(key, value);
    return this.#send();
  }

  #evaluator(name) {
    for (const key of [...this.settings.keys()]) if (key.startsWith("weights.")) this.settings.delete(key);
    if (this.settings.get("name") === this.settings.get("evaluator")) this.settings.set("name", name);
    this.settings.set("evaluator", name);
    this.#send();
  }

  #limit(kind, value) {
    for (const key of Object.keys(LIMITS)) this.settings.delete(key);
    this.settings.set(kind, value);
    this.#send();
  }

  #profile(name) {
    for (const key of [...this.settings.keys()]) if (key.startsWith("search.")) this.settings.delete(key);
    if (name) this.settings.set("search.profile", name);
    this.#send();
  }

  #send() { return this.#seat({ kind: "bot", settings: [...this.settings] }); }

  /** A wrong value keeps the bot as it is, and shows the message beside it. */
  async #seat(seat) {
    this.error.textContent = "";
    this.element.querySelector("[aria-invalid]")?.removeAttribute("aria-invalid");
    try {
      await post(`/api/play/${this.page.state.id}/seat`, { side: this.side, seat });
      return true;
    } catch (error) {
      this.settings = new Map(this.page.state.seats[this.side].settings);
      if (this.element.contains(this.changed)) {
        this.changed.setAttribute("aria-invalid", "true");
        this.changed.closest("label")?.after(this.error);
      }
      this.error.textContent = error.message;
      return false;
    }
  }
}
