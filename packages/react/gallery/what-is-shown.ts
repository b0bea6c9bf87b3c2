/** Attributes that a person sees or hears, or that give the state of an element. */
const SHOWN_ATTRIBUTES = [
  "type",
  "placeholder",
  "title",
  "aria-label",
  "href",
  "inputmode",
  "maxlength",
  "tabindex",
  "lang",
  "dir",
] as const;
const STATES = [
  "aria-busy",
  "aria-checked",
  "aria-current",
  "aria-disabled",
  "aria-expanded",
  "aria-invalid",
  "aria-pressed",
  "data-answered",
  "data-chosen",
  "data-phase",
  "disabled",
  "readonly",
  "required",
] as const;
const TO_OTHERS = ["aria-labelledby", "aria-describedby"] as const;

/**
 * The contents of a card, one line for each element with contents: words, icons, the values and states of controls,
 * and their names and descriptions.
 */
export function whatIsShown(root: Element): string {
  return [...root.children].flatMap((child) => linesOf(child, "")).join("\n");
}

function linesOf(element: Element, indent: string): readonly string[] {
  if (element.matches("[data-hp-announcer], style, iframe")) return [];
  if (element.localName === "time") return [`${indent}time: ${withoutPlace(element.textContent)}`];
  if (element.localName === "svg") return [`${indent}(${iconOf(element)})`];
  if (element.matches("pre, code, .hp-diff-row")) {
    const lines = withoutPlace(element.textContent).split("\n");
    return lines.map((line) => `${indent}${line}`.trimEnd());
  }
  const own = ownWords(element);
  const inside = own === "" ? indent : `${indent}  `;
  const parts = [...element.childNodes].flatMap((node) => {
    if (node instanceof Element) return linesOf(node, inside);
    const text = withoutPlace((node.textContent ?? "").trim());
    return text === "" ? [] : [`${inside}${text}`];
  });
  return own === "" ? parts : [`${indent}${own}`, ...parts];
}

/** The text without times of day, which depend on where it is shown. */
function withoutPlace(text: string): string {
  return text
    .replaceAll(/\d{1,2}:\d{2}(?:\s?[AP]M)?/gu, "TIME")
    .replaceAll(/UTC[+-]TIME/gu, "UTC…");
}

function iconOf(element: Element): string {
  const name = [...element.classList].find((one) => /^lucide-./u.test(one));
  return name?.replace("lucide-", "") ?? "icon";
}

function ownWords(element: Element): string {
  const said = [
    ...SHOWN_ATTRIBUTES.flatMap((name) => sayAttribute(element, name)),
    ...STATES.flatMap((name) => sayAttribute(element, name)),
    ...TO_OTHERS.flatMap((name) => sayOthers(element, name)),
    ...sayValue(element),
  ];
  const isNamed = /^(?:article|button|dialog|input|legend|option|select|summary|textarea)$/u.test(
    element.localName,
  );
  return said.length > 0 || isNamed ? [element.localName, ...said].join(" ") : "";
}

function sayAttribute(element: Element, name: string): readonly string[] {
  const value = element.getAttribute(name);
  if (value === null || (name === "type" && element.localName === "button")) return [];
  // Ids differ from run to run.
  if (value.startsWith("#")) return [name];
  return [value === "" || value === "true" ? name : `${name}=“${value}”`];
}

function sayOthers(element: Element, name: string): readonly string[] {
  const ids = element.getAttribute(name)?.split(" ") ?? [];
  const root = element.getRootNode() as Document;
  return ids.map((id) => {
    const other = root.getElementById(id)?.textContent.replaceAll(/\s+/gu, " ").trim();
    return `${name.replace("aria-", "")}=“${withoutPlace(other ?? "?")}”`;
  });
}

/** The value of a control and the text of its label. */
function sayValue(element: Element): readonly string[] {
  if (!/^(?:input|select|textarea)$/u.test(element.localName)) return [];
  const control = element as HTMLInputElement;
  const labels = [...(control.labels ?? [])].map(
    (label) => `label=“${label.textContent.replaceAll(/\s+/gu, " ").trim()}”`,
  );
  const isTick = control.type === "radio" || control.type === "checkbox";
  return [...labels, isTick ? (control.checked ? "ticked" : "empty") : `value=“${control.value}”`];
}
