import { isValidElement } from "react";
import { describe, expect, test } from "vitest";

import { createFrames } from "./create-frames.ts";
import { loadLanguage } from "./load-language.ts";
import { directionOf, ENGLISH, translateTo, type Language } from "./translate.ts";

type Text =
  | "Deny"
  | "Show all {amount}"
  | "{count} line|{count} lines"
  | "asked {when}"
  | "Choose at least {n}.";

const german: Language = {
  tag: "de",
  locale: "de",
  texts: {
    Deny: "Ablehnen",
    "{count} line|{count} lines": "{count} Zeile|{count} Zeilen",
    "Choose at least {n}.": "Wählen Sie mindestens {n}.",
  },
};
const inEnglish = translateTo<Text>({ ...ENGLISH, locale: "en" });
const inGerman = translateTo<Text>(german);

test("a text is its own English, with its values", () => {
  expect(inEnglish("Deny")).toBe("Deny");
  expect(inEnglish("Show all {amount}", { amount: "4 {count} lines" })).toBe(
    "Show all 4 {count} lines",
  );
});

test("another language uses its own texts, and English if one is missing", () => {
  expect(inGerman("Deny")).toBe("Ablehnen");
  expect(inGerman("Show all {amount}", { amount: "4" })).toBe("Show all 4");
});

test.each([
  [0, "0 lines", "0 Zeilen"],
  [1, "1 line", "1 Zeile"],
  [12_345, "12,345 lines", "12.345 Zeilen"],
])("%i: the form and the number of each language", (count, english, german) => {
  expect(inEnglish("{count} line|{count} lines", { count })).toBe(english);
  expect(inGerman("{count} line|{count} lines", { count })).toBe(german);
});

test("a language with more than two forms has one for each", () => {
  const polish = translateTo<Text>({
    tag: "pl",
    texts: { "{count} line|{count} lines": "{count} linia|{count} linie|{count} linii" },
  });
  const shown = [1, 3, 5].map((count) => polish("{count} line|{count} lines", { count }));
  expect(shown).toEqual(["1 linia", "3 linie", "5 linii"]);
});

test("an element stands at its place in the text", () => {
  const shown = inEnglish.rich("asked {when}", { when: "now" });
  expect(isValidElement<{ children: unknown }>(shown) && shown.props.children).toEqual([
    "asked ",
    "now",
    "",
  ]);
});

test("texts of the gateway are translated if they are known, and otherwise unchanged", () => {
  expect(inGerman.translate("Deny")).toBe("Ablehnen");
  expect(inGerman.translate("Choose at least 3.")).toBe("Wählen Sie mindestens 3.");
  expect(inGerman.translate("The disk is on fire")).toBe("The disk is on fire");
  expect(inGerman.translate("constructor")).toBe("constructor");
  expect(inGerman.translate("")).toBe("");
  expect(inEnglish.translate("Choose at least 3.")).toBe("Choose at least 3.");
});

test("the same language gives the same function, so that effects do not run again", () => {
  expect(translateTo(german)).toBe(translateTo(german));
});

test("right-to-left languages are marked", () => {
  expect(directionOf({ tag: "ar-EG" })).toBe("rtl");
  expect(directionOf({ tag: "he" })).toBe("rtl");
  expect(directionOf(german)).toBe("ltr");
});

test("a misspelt text, or one without a value, does not compile", () => {
  // @ts-expect-error -- not in the catalogue
  expect(inEnglish("Denny")).toBe("Denny");
  // @ts-expect-error -- it needs an amount
  expect(inEnglish("Show all {amount}")).toBe("Show all {amount}");
  // @ts-expect-error -- it needs another value
  expect(inEnglish("Show all {amount}", { count: 1 })).toContain("Show all");
});

describe("a text of the gateway with values", () => {
  const frames = createFrames({
    "It may run {given}.": "Es kann {given} ausführen.",
    "its setting {name}": "seine Einstellung {name}",
    "Dismissed by {name}.": "Verworfen von {name}.",
  });
  const say = translateTo({ tag: "de", texts: { Deny: "Ablehnen" }, frames });

  test.each([
    ["It may run its setting core.pager.", "Es kann seine Einstellung core.pager ausführen."],
    ["Dismissed by Deny.", "Verworfen von Deny."],
    ["Dismissed by {given}.", "Verworfen von {given}."],
    ["Dismissed by $& of\nAda.", "Verworfen von $& of\nAda."],
    ["Dismissed by ", "Dismissed by "],
    ["It says: Dismissed by Ada.", "It says: Dismissed by Ada."],
  ])("%s", (text, german) => expect(say.translate(text)).toBe(german));

  test("is not searched for in a long text", () => {
    const long = `Dismissed by ${"a".repeat(3000)}.`;
    expect(say.translate(long)).toBe(long);
  });
});

test.each([
  [
    "The user denied this use of Bash: A rule denies this: Deny, in /work: rm *",
    "Diese Benutzung von Bash wurde abgelehnt: Eine Regel lehnt das ab: Ablehnen, in /work: rm *",
  ],
  [
    "The user denied this use of Bash: not now",
    "Diese Benutzung von Bash wurde abgelehnt: not now",
  ],
  ["The agent continued without it.", "Der Agent hat ohne das weitergemacht."],
  [
    "shop: Its address does not begin with https://.",
    "shop: Die Adresse der Seite beginnt nicht mit https://.",
  ],
])("German has the texts that the log keeps in English: %s", async (text, german) => {
  expect(translateTo(await loadLanguage("de")).translate(text)).toBe(german);
});
