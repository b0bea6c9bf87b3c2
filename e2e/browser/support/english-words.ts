import { ENGLISH_SAYINGS, type SayingCode } from "@holdpoint/protocol";
import { GERMAN_SAYINGS } from "@holdpoint/protocol/german";
import type { Page } from "playwright-core";

import { GERMAN } from "../../../packages/web/src/words/german.ts";

const PATTERNS = Object.entries(GERMAN).flatMap(([english, german]) => {
  const same = new Set(german.split("|"));
  return english
    .split("|")
    .filter((form) => !same.has(form) && /[a-z]{2}/iu.test(form.replaceAll(/\{\w+\}/gu, "")))
    .map(toPattern);
});

function toPattern(text: string): RegExp {
  const parts = text
    .split(/\{\w+\}/u)
    .map((part) => part.replaceAll(/[$()*+./?[\\\]^{|}]/gu, "\\$&"));
  return new RegExp(`^${parts.join(".+?")}$`, "su");
}

/** One of the gateway's sentences may be part of a longer text. */
const SAYINGS = Object.entries(GERMAN_SAYINGS).flatMap(([code, german]) => {
  const english = ENGLISH_SAYINGS[code as SayingCode];
  const literal = english.replaceAll(/\{\w+\}/gu, "");
  return english === german || literal.length < 8 ? [] : english.split("|").map(toPart);
});

function toPart(text: string): RegExp {
  return new RegExp(toPattern(text).source.slice(1, -1), "su");
}

/** English catalogue texts that the page shows or speaks, where the German text differs. */
export async function findEnglish(page: Page): Promise<string[]> {
  const shown = await page.evaluate(readTexts);
  return shown.filter((text) => [...PATTERNS, ...SAYINGS].some((pattern) => pattern.test(text)));
}

/** Runs in the page: every text that a person or a screen reader reads, in pieces and combined, except for code. */
function readTexts(): string[] {
  const texts = new Set(document.title.split(" · "));
  const add = (text: string | null): void => void texts.add((text ?? "").replaceAll(/\s+/gu, " "));
  for (const element of document.body.querySelectorAll("*")) {
    const isShown = element.localName === "option" || element.checkVisibility();
    if (!isShown || element.closest("code, pre, kbd, script, style, svg") !== null) continue;
    for (const name of ["aria-label", "title", "placeholder", "alt"]) {
      if (element.hasAttribute(name)) add(element.getAttribute(name));
    }
    for (const node of element.childNodes) if (node instanceof Text) add(node.data.trim());
    if ((element.textContent?.length ?? 0) < 500) add(element.textContent?.trim() ?? "");
  }
  return [...texts];
}
