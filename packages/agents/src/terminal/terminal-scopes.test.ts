import { expect, test } from "vitest";

import { terminalScopes } from "./terminal-scopes.ts";

const rules = (toolName: string, ruleContent?: string) => ({
  type: "addRules",
  behavior: "allow",
  destination: "localSettings",
  rules: [{ toolName, ...(ruleContent !== undefined && { ruleContent }) }],
});
const folder = (path: string) => ({
  type: "addDirectories",
  destination: "session",
  directories: [path],
});

test("[R-5] a call with a suggestion that would let everything pass can be approved only once", () => {
  for (const suggestion of [
    rules("Bash"),
    rules("bash"),
    rules("Bash", "*"),
    rules("Bash", ":*"),
    rules("Bash", " ** "),
    rules("Bash", "bash:*"),
    rules("Bash", "sh -c *"),
    rules("Bash", "/usr/bin/env *"),
    rules("Bash", "python3 -c:*"),
    rules("Bash", "sudo *"),
    rules("*"),
    rules("mcp__*"),
    rules("mcp__files"),
    rules("mcp__files__*"),
    rules("Edit"),
    rules("Write", "**"),
    rules("Edit", "/**"),
    rules("Read", "//**"),
    rules("Read", "~/**"),
    rules("WebFetch"),
    rules("WebFetch", "domain:*"),
    rules("Agent"),
    folder("/"),
    folder("//"),
    folder("/."),
    folder("/work/.."),
    folder("~"),
    folder("~/"),
    folder("$HOME"),
    folder("/home"),
    folder("/home/ada/"),
    folder("/Users/ada"),
    folder("/root"),
    folder("/etc"),
    folder("C:\\"),
    folder("*"),
    folder("."),
  ]) {
    const { scopes } = terminalScopes([suggestion]);
    expect([suggestion, scopes]).toEqual([suggestion, ["once"]]);
    expect(terminalScopes([rules("Bash", "npm test"), suggestion]).scopes).toEqual(["once"]);
  }
});

test("a narrow suggestion is offered unchanged", () => {
  for (const suggestion of [
    rules("Bash", "npm run test:*"),
    rules("Bash", "git status"),
    rules("Bash", "find src -name x"),
    rules("Edit", "/src/**"),
    rules("Read", "//work/docs/**"),
    rules("WebFetch", "domain:example.com"),
    rules("WebSearch"),
    rules("mcp__files__read"),
    folder("/work/other"),
    folder("/home/ada/project"),
    folder("/tmp"),
    folder("C:\\work\\other"),
    folder("~/project"),
  ]) {
    const { scopes } = terminalScopes([suggestion]);
    expect([suggestion, scopes.includes("session")]).toEqual([suggestion, true]);
  }
});
