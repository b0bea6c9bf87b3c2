import { expect, test } from "vitest";

import { hasFormat, type TextFormat } from "./text-format.ts";

const right: Record<TextFormat, string[]> = {
  email: ["a@b", "ada.lovelace+forms@example.org", "jürgen@müller.example"],
  uri: [
    "https://example.org",
    "http://localhost:8080/a?b=c#d",
    "mailto:ada@example.org",
    "HTTPS://EXAMPLE.ORG",
  ],
  date: ["2024-02-29", "0001-01-01", "9999-12-31"],
  "date-time": [
    "2026-05-01T10:00:00Z",
    "2026-05-01t10:00:00.123456z",
    "2024-02-29T23:59:59+14:00",
    "2026-05-01T00:00:00-00:30",
  ],
};

const wrong: Record<TextFormat, string[]> = {
  email: ["", "a", "@b", "a@", "a b@c", "a@b@c", "a@.b", "a@b..c", "a@b\nBcc: c@d", "a\u0000@b"],
  uri: [
    "",
    "example.org",
    "//example.org",
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java\nscript:alert(1)",
    " https://example.org",
    "https://exa mple.org",
    "https://",
    "https:example.org",
    "file:///etc/passwd",
    "data:text/html,x",
  ],
  date: ["", "2026-02-29", "2026-13-01", "2026-00-10", "2026-1-1", "2026-01-01T00:00", "26-01-01"],
  "date-time": [
    "2026-05-01",
    "2026-05-01T10:00",
    "2026-05-01T10:00:00",
    "2026-05-01 10:00:00Z",
    "2026-02-30T10:00:00Z",
    "2026-05-01T24:00:00Z",
    "2026-05-01T10:60:00Z",
    "2016-12-31T23:59:60Z",
    "2026-05-01T10:00:00+24:00",
    "2026-05-01T10:00:00Zulu",
  ],
};

const cases = (of: Record<TextFormat, string[]>) =>
  Object.entries(of).flatMap(([format, texts]) =>
    texts.map((text) => [format as TextFormat, text] as const),
  );

test.each(cases(right))("%s: %j is valid", (format, text) => {
  expect(hasFormat(text, format)).toBe(true);
});

test.each(cases(wrong))("%s: %j is not valid", (format, text) => {
  expect(hasFormat(text, format)).toBe(false);
});
