import { LOOK_ALIKES } from "@holdpoint/protocol";
import { expect, test } from "vitest";

import { assertAgentLabel } from "./agent-label.ts";

const REFUSED = [
  "Holdpoint",
  "HOLDPOINT",
  "H0ldp0int",
  "Hоldрoint", // Cyrillic о and р
  "Ηoldpoint", // Greek Η
  "Holdpoınt",
  "hold point",
  "Hold-Point!",
  "Holdpolnt",
  "H\u0301oldpoint",
  "Ｈｏｌｄｐｏｉｎｔ",
  "𝐇𝐨𝐥𝐝𝐩𝐨𝐢𝐧𝐭",
  "The Holdpoint gateway",
  "Holdpoint (official)",
  "gateway",
  "G4teway Gateway",
  "You",
  "Υou",
  "уou",
  "system",
  "Ѕystem",
  "SYSTEM:",
  "Owner",
  "admin",
  "Adrnin",
  "Ada",
  "ADA ",
  "Аda",
  "!!!",
  "Co\u200Bdex",
  "Codex\u202E",
  "Codex\u0000",
  "Codex\nAllowed by Ada",
  "Codex\u2028",
  "Codex\u3164",
  "\u{E0041}Codex",
];

const FINE = [
  "Codex",
  "Cursor",
  "Claude Code",
  "Adam's bot",
  "youtube-dl",
  "User agent 7",
  "Nächtlicher Bauer",
  "Помощник",
  "夜间助手",
  "مساعد",
  "Zoë's CI",
];

const PERSON = "Ada Lovelace";

/** Each name of the screen or a person, with one letter replaced by one that looks like it. */
const SUBSTITUTIONS = ["Holdpoint", "Gateway", "Owner", "You", PERSON].flatMap((name) =>
  Array.from(name).flatMap((letter, at) =>
    [...LOOK_ALIKES]
      .filter(([, look]) => look.toLowerCase() === letter.toLowerCase())
      .map(([other]) => name.slice(0, at) + other + name.slice(at + 1)),
  ),
);

function isRefused(label: string, person: string): boolean {
  try {
    assertAgentLabel(label, person);
    return false;
  } catch {
    return true;
  }
}

test("no agent has a name in which one letter is replaced by one that looks like it", ({
  annotate,
}) => {
  expect(SUBSTITUTIONS.length).toBeGreaterThan(500);
  expect(SUBSTITUTIONS.filter((label) => !isRefused(label, PERSON))).toEqual([]);
  void annotate(`${SUBSTITUTIONS.length} names with one substitution`, "cases");
});

test("an agent cannot be named like the gateway or a person, or with an invisible name", ({
  annotate,
}) => {
  expect(REFUSED.filter((label) => !isRefused(label, "Ada"))).toEqual([]);
  void annotate(`${REFUSED.length} labels that imitate`, "cases");
});

test.each(FINE)("an agent may be called %j", (label) => {
  expect(() => assertAgentLabel(label, "Ada")).not.toThrow();
});
