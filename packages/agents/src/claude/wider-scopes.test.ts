import type { PermissionMode, PermissionUpdate } from "@anthropic-ai/claude-agent-sdk";
import { describe, expect, test } from "vitest";

import type { ToolAskFacts } from "./tool-ask.ts";
import { widerScopes } from "./wider-scopes.ts";

const rules = (...contents: string[]): PermissionUpdate => ({
  type: "addRules",
  behavior: "allow",
  destination: "localSettings",
  rules: contents.map((ruleContent) => ({ toolName: "Bash", ruleContent })),
});
const rule = (toolName: string, ruleContent?: string): PermissionUpdate => ({
  type: "addRules",
  behavior: "allow",
  destination: "localSettings",
  rules: [{ toolName, ...(ruleContent !== undefined && { ruleContent }) }],
});
const folder = (...directories: string[]): PermissionUpdate => ({
  type: "addDirectories",
  directories,
  destination: "session",
});
const acceptEdits: PermissionUpdate = {
  type: "setMode",
  mode: "acceptEdits",
  destination: "session",
};
const ONCE_ONLY = { scopes: ["once"], scopeText: {} };

function offer(
  suggestions: PermissionUpdate[],
  {
    toolName = "Bash",
    mode = "default",
    cwd = "/work",
    input = {},
    ...about
  }: Partial<ToolAskFacts> & {
    toolName?: string;
    mode?: PermissionMode;
    cwd?: string;
    input?: Record<string, unknown>;
  } = {},
) {
  const { signal } = new AbortController();
  const facts = { toolUseID: "toolu_1", signal, suggestions, ...about };
  return widerScopes({ toolName, input, about: facts }, { cwd, mode });
}

describe("what a person may allow for longer", () => {
  test("is nothing where the runtime suggests nothing, as for a command within a command", () => {
    expect(offer([])).toEqual(ONCE_ONLY);
  });

  test.each([
    ["a suggestion of a kind that nobody knows", { type: "grantEverything" }],
    ["a rule that allows nothing", { ...rule("Bash", "ls"), behavior: "deny" }],
    ["the end of a rule", { ...rule("Bash", "ls"), type: "removeRules" }],
  ])("[R-5] is nothing beside %s", (_, unknown) => {
    const suggestions = [rule("Bash", "ls"), unknown as PermissionUpdate];
    expect(offer(suggestions)).toEqual(ONCE_ONLY);
  });

  test.each<[string, Partial<ToolAskFacts>]>([
    ["the runtime forbids it", { suppressAlwaysAllowRule: true }],
    ["one keystroke must not approve it", { defaultToNo: true }],
    [
      "a rule of the person's wants to be asked",
      { matchedAskRule: { source: "userSettings", toolName: "Bash" } },
    ],
  ])("[R-5] is nothing where %s", (_, about) => {
    expect(offer([rule("Bash", "ls")], about)).toEqual(ONCE_ONLY);
  });

  test("[R-5] is nothing where a command is to run outside of the sandbox", () => {
    const input = { command: "ls", dangerouslyDisableSandbox: true };
    expect(offer([rule("Bash", "ls")], { input })).toEqual(ONCE_ONLY);
    const within = { command: "ls", dangerouslyDisableSandbox: false };
    expect(offer([rule("Bash", "ls")], { input: within }).grantKey).toBeDefined();
  });

  test.each<PermissionMode>(["plan", "auto", "dontAsk", "bypassPermissions"])(
    "[R-5] is nothing in the mode %s, where nothing but a person may answer",
    (mode) => {
      expect(offer([rule("Bash", "ls")], { mode })).toEqual(ONCE_ONLY);
      expect(offer([acceptEdits], { mode, toolName: "Write" })).toEqual(ONCE_ONLY);
    },
  );

  test("is said in the words of the rule, and where it holds", () => {
    const { scopes, scopeText } = offer([rule("Bash", "npm run *")]);
    expect(scopes).toEqual(["once", "session", "always"]);
    const covered = "without asking: every command that begins with “npm run” [Bash(npm run *)].";
    expect(scopeText).toEqual({
      session: `Until this session ends, ${covered}`,
      always: `In every session in /work, ${covered}`,
    });
  });

  test("names all that a call of many parts needs", () => {
    const { scopeText } = offer([rules("npm run *", "rm -rf x"), folder("/etc"), acceptEdits]);
    expect(scopeText.session).toBe(
      "Until this session ends, without asking: a call that needs all of these: every command that begins with " +
        "“npm run” [Bash(npm run *)]; exactly the command “rm -rf x” [Bash(rm -rf x)]; files in /etc.",
    );
  });

  test.each([
    [rule("Bash", "git log:*"), "every command that begins with “git log”"],
    [rule("Bash", "git * main"), "every command that matches “git * main”"],
    [rule("Bash"), "every use of Bash"],
    [rule("mcp__files__read"), "every use of read of the server files"],
    [rule("Read", "//etc/ssl/**"), "every use of Read directly in /etc/ssl"],
    [rule("WebFetch", "domain:example.com"), "every use of WebFetch on example.com"],
  ])("says %o in plain words", (update, words) => {
    expect(offer([update]).scopeText.session).toContain(words);
  });

  test("is the permission mode where nothing else would do, and only for the session", () => {
    const offered = offer([acceptEdits], { toolName: "ExitPlanMode", mode: "plan" });
    expect(offered).toEqual({
      scopes: ["once", "session"],
      scopeText: {
        session: "Until this session ends: the permission mode becomes “Accept edits”.",
      },
      updates: [acceptEdits],
    });
  });
});

describe("an edit", () => {
  const edit = (suggestions: PermissionUpdate[], about: Parameters<typeof offer>[1] = {}) =>
    offer(suggestions, { toolName: "Write", ...about });

  test("is allowed for its folder, by any tool that edits, and changes no mode", () => {
    const written = edit([acceptEdits]);
    expect(written).toMatchObject({
      scopeText: {
        session: "Until this session ends, without asking: every edit of a file in /work.",
      },
      grantFamily: "edit",
    });
    expect(written).not.toHaveProperty("updates");
    expect(edit([acceptEdits], { toolName: "Edit" }).grantKey).toBe(written.grantKey);
  });

  test("outside of the folder is allowed for where it is", () => {
    const decisionReason = "Path is outside allowed working directories";
    const outside = edit([acceptEdits, folder("/srv")], { decisionReason });
    expect(outside.scopeText.session).toContain("every edit of a file in /srv");
    expect(outside.grantKey).not.toBe(edit([acceptEdits]).grantKey);
  });

  test("[R-5] of a sensitive file is asked each time", () => {
    const decisionReason = "/work/.git/config is a sensitive file.";
    expect(edit([acceptEdits], { decisionReason })).toEqual(ONCE_ONLY);
  });
});

describe("the key of a grant", () => {
  const key = (...given: Parameters<typeof offer>) => offer(...given).grantKey;
  const build = rule("Bash", "npm run *");

  test("is the same for what needs the same, in whatever order", () => {
    expect(key([rules("b", "a")])).toBe(key([rules("a"), rules("b"), acceptEdits]));
  });

  test.each<[string, Parameters<typeof offer>]>([
    ["another rule", [[rule("Bash", "npm test *")]]],
    ["one rule more", [[build, rule("Bash", "rm x")]]],
    ["a folder more", [[build, folder("/etc")]]],
    ["another reason to ask", [[build], { decisionReason: "It writes to a sensitive file." }]],
    ["another path that is in the way", [[build], { blockedPath: "/etc/passwd" }]],
    ["another folder to run in", [[build], { cwd: "/elsewhere" }]],
    ["a rule that looks like two", [[rule("Bash", 'npm run *","x')]]],
  ])("[R-6] is not that of a call with %s", (_, other) => {
    expect(key(...other)).toBeDefined();
    expect(key(...other)).not.toBe(key([build]));
  });
});
