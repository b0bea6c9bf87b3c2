import { describe, expect, test } from "vitest";

import { sayEnglish } from "../testing/say-english.ts";
import { toToolWords as toWords } from "./tool-words.ts";

const toToolWords = (toolName: string, input?: Record<string, unknown>) =>
  toWords(toolName, input, sayEnglish);

describe("tool words", () => {
  test("a shell command is shown as code in three tenses", () => {
    expect(toToolWords("Bash", { command: "npm test" })).toEqual({
      icon: "terminal",
      asked: "Wants to run",
      running: "Running",
      done: "Ran",
      object: "npm test",
      kind: "code",
    });
  });

  test("a tool is recognised by its name in any case and with underscores", () => {
    expect(toToolWords("edit_file", { path: "a.ts" })).toMatchObject({
      done: "Edited",
      object: "a.ts",
    });
    expect(toToolWords("Edit", { file_path: "a.ts" })).toMatchObject({
      done: "Edited",
      object: "a.ts",
    });
  });

  test("a command of several lines is marked as longer", () => {
    expect(toToolWords("Bash", { command: "cd /tmp\nrm -rf x" }).object).toBe("cd /tmp …");
  });

  test("a very long line is cut with a mark", () => {
    const { object = "" } = toToolWords("Bash", { command: "x".repeat(1000) });
    expect(object).toHaveLength(242);
    expect(object.endsWith(" …")).toBe(true);
  });

  test("a search names what and where", () => {
    expect(toToolWords("Grep", { pattern: "moment", path: "src" }).object).toBe("moment in src");
  });

  test("a tool of an MCP server keeps the server apart from its name", () => {
    expect(toToolWords("mcp__jira__create_issue", { title: "Broken" })).toMatchObject({
      icon: "plug",
      done: "Used create_issue",
      server: "jira",
      object: "Broken",
    });
  });

  test("an unknown tool acts on its first text, or on the first list of texts", () => {
    const names = ["a.txt", "b.txt"];
    expect(toToolWords("delete_files", { force: true, names, folder: "." }).object).toBe(
      "a.txt, b.txt",
    );
    expect(toToolWords("add", { numbers: [1, 2], empty: [] }).object).toBeUndefined();
  });

  test("an MCP tool is never taken for a built-in one of the same name", () => {
    expect(toToolWords("mcp__evil__Read", { file_path: "a" }).done).toBe("Used Read");
  });

  test("names of object members are not known tools", () => {
    expect(toToolWords("constructor", {}).done).toBe("Used constructor");
    expect(toToolWords("__proto__", {}).done).toBe("Used __proto__");
  });

  test("incomplete and malformed input leaves the object out", () => {
    expect(toToolWords("Bash").object).toBeUndefined();
    expect(toToolWords("Bash", { command: 7 }).object).toBeUndefined();
    expect(toToolWords("AskUserQuestion", { questions: [null] }).object).toBeUndefined();
  });
});
