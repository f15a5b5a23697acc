/** Elements in few words. Text is text: nothing here parses markup. */

/**
 * @typedef {Node | string | null | undefined | false} Child
 * @typedef {Record<string, string | number | boolean | ((event: any) => void) | undefined>} Attributes
 */

/**
 * `h("button", { class: "primary", onclick: go }, "Race")`. Functions become
 * listeners, `true` an empty attribute, `false` and `undefined` none.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  setAll(element, attributes);
  element.append(...children.filter(isChild));
  return element;
}

/**
 * The same for SVG.
 * @param {string} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {SVGElement}
 */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  setAll(element, attributes);
  element.append(...children.filter(isChild));
  return element;
}

/**
 * Replace what an element holds.
 * @param {Element} element
 * @param {...Child} children
 */
export const fill = (element, ...children) => element.replaceChildren(...children.filter(isChild));

/**
 * Set an element's text if it is another: a clock costs nothing while it stands.
 * @param {Element} element
 * @param {string} text
 */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * One of the page's symbols.
 * @param {string} name
 */
export const icon = (name) =>
  svg("svg", { class: "icon", "aria-hidden": "true" }, svg("use", { href: `#i-${name}` }));

/**
 * @param {Element} element
 * @param {Attributes} attributes
 */
function setAll(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== undefined) element.setAttribute(name, String(value));
  }
}

/** @type {(child: Child) => child is Node | string} */
const isChild = (child) => child !== null && child !== undefined && child !== false;
