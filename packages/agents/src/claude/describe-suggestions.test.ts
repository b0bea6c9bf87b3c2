import type { PermissionUpdate } from "@anthropic-ai/claude-agent-sdk";
import { describe, expect, test } from "vitest";

import { offerScopes, updatesOf } from "./describe-suggestions.ts";

const rule = (
  toolName: string,
  ruleContent?: string,
  destination: PermissionUpdate["destination"] = "localSettings",
): PermissionUpdate => ({
  type: "addRules",
  behavior: "allow",
  destination,
  rules: [{ toolName, ...(ruleContent !== undefined && { ruleContent }) }],
});

describe("the scopes that are offered", () => {
  test("are only once without suggestions", () => {
    expect(offerScopes([])).toEqual({ scopes: ["once"], scopeText: {} });
  });

  test("[R-5] are only once for a suggestion of a kind that nobody knows", () => {
    const unknown = {
      type: "grantEverything",
      destination: "session",
    } as unknown as PermissionUpdate;
    expect(offerScopes([rule("Bash", "ls"), unknown])).toEqual({ scopes: ["once"], scopeText: {} });
  });

  test("end with the session if nothing is kept beyond it", () => {
    const offered = offerScopes([{ type: "setMode", mode: "acceptEdits", destination: "session" }]);
    expect(offered.scopes).toEqual(["once", "session"]);
    expect(offered.scopeText).toEqual({
      session: "Until this session ends: the permission mode becomes “Accept edits”.",
    });
  });

  test("say everything that comes with an always, and where it is kept", () => {
    const { scopes, scopeText } = offerScopes([
      rule("Bash", "npm run *"),
      { type: "addDirectories", directories: ["/tmp"], destination: "session" },
      rule("WebFetch", "domain:example.com", "userSettings"),
    ]);
    expect(scopes).toEqual(["once", "session", "always"]);
    expect(scopeText.always).toBe(
      "From now on: every command that begins with “npm run” runs without asking [Bash(npm run *)] " +
        "(kept in .claude/settings.local.json of this folder); Claude may also work in /tmp " +
        "(until this session ends); every use of WebFetch on example.com runs without asking " +
        "[WebFetch(domain:example.com)] (kept in your own Claude settings, for every folder).",
    );
  });

  test.each([
    [rule("Bash", "rm -rf x"), "exactly the command “rm -rf x”"],
    [rule("Bash", "git log:*"), "every command that begins with “git log”"],
    [rule("Bash", "git * main"), "every command that matches “git * main”"],
    [rule("Bash"), "every use of Bash"],
    [rule("mcp__files__read"), "every use of read of the server files"],
    [rule("Read", "//etc/**"), "every use of Read that matches “//etc/**”"],
  ])("describe %o in plain words", (update, words) => {
    expect(offerScopes([update]).scopeText.session).toContain(words);
  });
});

describe("the updates of a scope", () => {
  const suggestions = [rule("Bash", "ls"), rule("WebFetch", "domain:a.b", "userSettings")];

  test("are none for once, and all as they were for always", () => {
    expect(updatesOf("once", suggestions)).toEqual([]);
    expect(updatesOf("always", suggestions)).toEqual(suggestions);
  });

  test("leave the permission mode alone for a session while anything narrower allows the call", () => {
    const rule: PermissionUpdate = {
      type: "addRules",
      rules: [{ toolName: "Bash", ruleContent: "ls" }],
      behavior: "allow",
      destination: "localSettings",
    };
    const mode: PermissionUpdate = { type: "setMode", mode: "acceptEdits", destination: "session" };
    expect(updatesOf("session", [rule, mode])).toEqual([{ ...rule, destination: "session" }]);
    expect(offerScopes([rule, mode]).scopeText.session).not.toContain("mode");
    expect(updatesOf("session", [mode])).toEqual([mode]);
    expect(updatesOf("always", [rule, mode])).toEqual([rule, mode]);
  });

  test("end with the session for a session", () => {
    expect(updatesOf("session", suggestions)).toEqual(
      suggestions.map((update) => ({ ...update, destination: "session" })),
    );
  });
});
