import { globSync, readFileSync } from "node:fs";

import { describe, expect, test } from "vitest";

import { translateTo } from "../../packages/react/src/words/translate.ts";
import { GERMAN, GERMAN_FRAMES } from "../../packages/web/src/words/german.ts";
import { findSentences, VALUE } from "./find-sentences.ts";

const inGerman = translateTo({ tag: "de", texts: GERMAN, frames: GERMAN_FRAMES });

/** Files whose sentences no page shows, and the readers of those sentences. */
const NOT_SHOWN: readonly (readonly [files: RegExp, reader: string])[] = [
  [/\/demo\//u, "a person, but they are the demo agent's own words"],
  [/\/(?:expand-braces|shell-words|spend-characters)\.ts$/u, "nobody: a person is asked instead"],
  [/\/seal-grants\.ts$/u, "the log"],
  [/\/agents\/src\/host\//u, "another process of the gateway, and its log"],
  [/\/notify\/src\/(?:web-push|lib|callbacks)\//u, "the log, or the program that asked"],
  [/\/engine\/src\/(?:memory-store|ports)\//u, "the log"],
  [/\/engine\/src\/tools\//u, "the agent that called a tool, or the tool's author"],
  [/\/engine\/src\/asks\//u, "the program that asked"],
  [/\/late-response-message\.ts$/u, "the agent; it is shown as it was sent"],
  [/\/(?:ask-user-question|terminal-decision|answers-alias)\.ts$/u, "the agent or a program"],
  [/\/(?:create-interaction|create-form|digest|find-responders)\.ts$/u, "the tool's author"],
  [
    /\/(?:transcript|open-ask|claude-session|settle|resume-wait|hold-end|respond|retry-conflicts|external-session-limit)\.ts$/u,
    "the log",
  ],
  [
    /\/notify\/src\/(?:notifications|subscriptions)\.ts$/u,
    "nobody: its codes have words of the page's own",
  ],
  [/\/(?:queued-messages|create-agent-token|pairings|errors|attachments)\.ts$/u, "as above"],
];

/** Also accepts the text with the name of its subject before it. */
const hasGerman = (text: string): boolean =>
  [text, `${VALUE}: ${text}`].some((said) => inGerman.translate(said) !== said);

const files = globSync("packages/{engine,agents,notify}/src/**/*.ts").filter(
  (path) => !/\.test\.|\/testing\//u.test(path),
);

describe("a sentence of the gateway", () => {
  test("has a German text, or is never read on a page", () => {
    expect(files.length).toBeGreaterThan(200);
    const without = files
      .filter((path) => !NOT_SHOWN.some(([place]) => place.test(path)))
      .flatMap((path) =>
        findSentences(path, readFileSync(path, "utf8"))
          .filter((text) => !hasGerman(text))
          .map((text) => `${path}: ${text}`),
      );
    expect(without).toEqual([]);
  });

  test("every excepted file has a sentence", () => {
    const idle = NOT_SHOWN.filter(
      ([place]) =>
        !files.some(
          (path) =>
            place.test(path) &&
            findSentences(path, readFileSync(path, "utf8")).some((text) => !hasGerman(text)),
        ),
    );
    expect(idle).toEqual([]);
  });
});
