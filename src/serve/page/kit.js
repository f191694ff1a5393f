// What all pages share: requests to the server, and making elements.

/** One request; throws an Error with the server's message. */
export async function ask(method, path, body) {
  const options = { method, headers: {} };
  if (method !== "GET") {
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(body ?? {});
  }
  const response = await fetch(path, options);
  const text = await response.text();
  let value = text;
  if ((response.headers.get("Content-Type") ?? "").startsWith("application/json")) {
    value = JSON.parse(text);
  }
  if (!response.ok) {
    const error = new Error(value.error ?? `${response.status} ${response.statusText}`);
    error.status = response.status;
    throw error;
  }
  return value;
}
export const get = (path) => ask("GET", path);
export const post = (path, body) => ask("POST", path, body);

/** An element with attributes, listeners (onclick: ...) and children. Text is never read as markup. */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key in element && typeof value !== "string") element[key] = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}
