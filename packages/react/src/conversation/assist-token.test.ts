import { describe, expect, test } from "vitest";

import { findToken, replaceToken } from "./assist-token.ts";

/** The token at `|`, as its kind and text. */
function tokenAt(marked: string) {
  const caret = marked.indexOf("|");
  const found = findToken(marked.replace("|", ""), caret);
  return found && `${found.kind} ${found.text}`;
}

describe("suggestions for", () => {
  test.each([
    ["/|", "command "],
    ["/co|", "command co"],
    ["/co|mpact", "command co"],
    ["/compact |", undefined],
    ["say /co|", undefined],
    ["\n/co|", undefined],
    ["@|", "file "],
    ["look at @src/a|", "file src/a"],
    ["look at\n@a|b", "file a"],
    ['@"my fi|', "file my fi"],
    ['@"my file" |', undefined],
    ["ada@example|", undefined],
    ["@a |", undefined],
    ["|@a", undefined],
  ])("%j is %j", (marked, token) => expect(tokenAt(marked)).toBe(token));
});

describe("an accepted suggestion replaces the token", () => {
  const take = (marked: string, value: string) => {
    const caret = marked.indexOf("|");
    const message = marked.replace("|", "");
    const token = findToken(message, caret);
    if (token === undefined) throw new Error("There is no token.");
    const after = replaceToken(message, token, value);
    return `${after.message.slice(0, after.caret)}|${after.message.slice(after.caret)}`;
  };
  test.each([
    ["/co|", "compact", "/compact |"],
    ["see @a| and", "src/a.ts", "see @src/a.ts |and"],
    ["see @a|", "my file.ts", 'see @"my file.ts" |'],
    ['see @"my f|', "my file.ts", 'see @"my file.ts" |'],
    ["see @s|", "src/", "see @src/|"],
    ["@a| @b", "a.ts", "@a.ts |@b"],
  ])("%j with %j", (marked, value, after) => expect(take(marked, value)).toBe(after));
});
