import type { PermissionMode, PermissionUpdate } from "@anthropic-ai/claude-agent-sdk";
import { inEnglish } from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import type { ToolAskFacts } from "./tool-ask.ts";
import { widerScopes } from "./wider-scopes.ts";

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

interface Call extends Partial<ToolAskFacts> {
  toolName?: string;
  mode?: PermissionMode;
  cwd?: string;
  input?: Record<string, unknown>;
  leadsTo?: string;
}

function offer(suggestions: PermissionUpdate[], call: Call = {}) {
  const { toolName = "Bash", mode = "default", cwd = "/work", leadsTo, ...rest } = call;
  const { input = { command: "npm run build" }, ...about } = rest;
  const { signal } = new AbortController();
  const facts = { toolUseID: "toolu_1", signal, suggestions, ...about };
  const place = { cwd, mode, ...(leadsTo !== undefined && { leadsTo }) };
  const offered = widerScopes({ toolName, input, about: facts }, place);
  const texts = Object.entries(offered.scopeText).map(([scope, text]) => [scope, inEnglish(text)]);
  const scopeText: { session?: string; always?: string } = Object.fromEntries(texts);
  return { ...offered, scopeText };
}

describe("wider scopes of an approval", () => {
  test("are not offered when the runtime suggests none, as for a command within a command", () => {
    expect(offer([])).toEqual(ONCE_ONLY);
  });

  test.each([
    ["a suggestion of an unknown kind", { type: "grantEverything" }],
    ["a rule that allows nothing", { ...rule("Bash", "ls"), behavior: "deny" }],
    ["the end of a rule", { ...rule("Bash", "ls"), type: "removeRules" }],
  ])("[R-5] are not offered next to %s", (_, unknown) => {
    const suggestions = [rule("Bash", "ls"), unknown as PermissionUpdate];
    expect(offer(suggestions)).toEqual(ONCE_ONLY);
  });

  test.each<[string, Partial<ToolAskFacts>]>([
    ["the runtime forbids it", { suppressAlwaysAllowRule: true }],
    ["one keystroke must not approve the call", { defaultToNo: true }],
    [
      "a rule of the person requires asking",
      { matchedAskRule: { source: "userSettings", toolName: "Bash" } },
    ],
  ])("[R-5] are not offered where %s", (_, about) => {
    expect(offer([rule("Bash", "ls")], about)).toEqual(ONCE_ONLY);
  });

  test("[R-5] are not offered for a command outside of the sandbox", () => {
    const input = { command: "ls", dangerouslyDisableSandbox: true };
    expect(offer([rule("Bash", "ls")], { input })).toEqual(ONCE_ONLY);
    const within = { command: "ls", dangerouslyDisableSandbox: false };
    expect(offer([rule("Bash", "ls")], { input: within }).grantKey).toBeDefined();
  });

  test.each<PermissionMode>(["plan", "auto", "dontAsk", "bypassPermissions"])(
    "[R-5] are not offered in the mode %s, where only a person may answer",
    (mode) => {
      expect(offer([rule("Bash", "ls")], { mode })).toEqual(ONCE_ONLY);
      const input = { file_path: "/work/a" };
      expect(offer([acceptEdits], { mode, toolName: "Write", input })).toEqual(ONCE_ONLY);
    },
  );

  test("cover exactly this command in this directory, in one line, whatever rule the runtime suggests", () => {
    const { scopes, scopeText } = offer([rule("Bash", "npm run *"), folder("/etc"), acceptEdits]);
    expect(scopes).toEqual(["once", "session", "always"]);
    expect(scopeText).toEqual({
      session: "Only the command “npm run build”. Until this session ends, in /work.",
      always: "Only the command “npm run build”. In every session, in /work.",
    });
  });

  test.each<[string, Record<string, unknown>, string]>([
    ["Bash", { command: "one\ntwo" }, "Only the command “one⏎two”."],
    [
      "Bash",
      { command: "x".repeat(310) },
      `“${"x".repeat(300)}…”. (10 more characters are not shown here.)`,
    ],
    ["Read", { file_path: "/etc/hosts", limit: 5 }, "Only reading the file /etc/hosts."],
    [
      "WebFetch",
      { url: "https://example.com/a", prompt: "What is it?" },
      "Only fetching the address https://example.com/a.",
    ],
    ["mcp__files__read", { a: 1 }, 'read of the server files with exactly the input {"a":1}.'],
    ["Unheard", {}, "Unheard with exactly the input {}."],
  ])("have for %s %j the text of their extent", (toolName, input, words) => {
    const { session = "", always = "" } = offer([rule(toolName)], { toolName, input }).scopeText;
    for (const text of [session, always]) {
      expect(text).toContain(words);
      expect(text).not.toContain("\n");
    }
  });

  test("offer the permission mode for the approval of a plan, and only for the session", () => {
    const offered = offer([acceptEdits], { toolName: "ExitPlanMode", mode: "plan", input: {} });
    expect(offered).toEqual({
      scopes: ["once", "session"],
      scopeText: {
        session: "The permission mode becomes “Accept edits”. Until this session ends.",
      },
      updates: [acceptEdits],
    });
    expect(offer([acceptEdits], { toolName: "Bash" })).not.toHaveProperty("updates");
  });
});

describe("an edit", () => {
  const edit = (suggestions: PermissionUpdate[], path = "/work/a.txt", call: Call = {}) =>
    offer(suggestions, {
      toolName: "Write",
      input: { file_path: path, content: String(Math.PI) },
      ...call,
    });

  test("is allowed for its file, by any editing tool, and changes no mode", () => {
    const written = edit([acceptEdits]);
    expect(written).toMatchObject({
      scopeText: {
        session: "Every edit of the file /work/a.txt. Until this session ends, in /work.",
      },
      grantFamily: "edit",
    });
    expect(written).not.toHaveProperty("updates");
    const input = { file_path: "/work/a.txt", old_string: "a", new_string: "b" };
    const edited = edit([acceptEdits], "", { toolName: "Edit", input });
    expect(edited.grantKey).toBe(written.grantKey);
  });

  test("[R-6] is not covered for another file", () => {
    const key = edit([acceptEdits]).grantKey;
    for (const path of ["/work/b.txt", "/work/A.txt", "/work/./a.txt", "/work/sub/../a.txt"]) {
      expect(edit([acceptEdits], path).grantKey).toBeDefined();
      expect(edit([acceptEdits], path).grantKey).not.toBe(key);
    }
    const decisionReason = "Path is outside allowed working directories";
    const elsewhere = edit([acceptEdits, folder("/srv")], "/work/a.txt", { decisionReason });
    expect(elsewhere.grantKey).not.toBe(key);
  });

  test("[R-6] through a link covers the link's target, and names it", () => {
    const plain = edit([acceptEdits], "/work/a.txt", { leadsTo: "/work/a.txt" });
    expect(plain.grantKey).toBe(edit([acceptEdits]).grantKey);
    const linked = ["/work/b.txt", "/work/c.txt"].map((leadsTo) =>
      edit([acceptEdits], "/work/a.txt", { leadsTo }),
    );
    expect(new Set([plain, ...linked].map(({ grantKey }) => grantKey)).size).toBe(3);
    expect(linked[0]?.scopeText.session).toBe(
      "Every edit of the file /work/a.txt → /work/b.txt. Until this session ends, in /work.",
    );
  });

  test("[R-5] is asked about each time for a sensitive file, or without a path", () => {
    const decisionReason = "/work/.git/config is a sensitive file.";
    expect(edit([acceptEdits], "/work/.git/config", { decisionReason })).toEqual(ONCE_ONLY);
    expect(edit([acceptEdits], "", { input: {} })).toEqual(ONCE_ONLY);
  });
});

describe("a call of a server's tool", () => {
  const called = (name: string, toolName = "mcp__a__b__c") =>
    offer([rule(toolName)], { toolName, input: {}, mcpServer: { name, source: "user" } });

  test("[R-6] is not covered for another server, even if both tools have the same name", () => {
    const names = ["a", "a__b", "a.b", "a b"];
    const keys = names.map((name) => called(name).grantKey);
    expect(new Set(keys).size).toBe(names.length);
  });

  test("is shown with the server's own name", () => {
    expect(called("a").scopeText.session).toContain("b__c of the server a with");
    expect(called("a__b").scopeText.session).toContain("c of the server a__b with");
    const odd = called("holdpoint evil", "mcp__holdpoint_evil__go");
    expect(odd.scopeText.session).toContain("go of the server holdpoint evil with");
    // A server name that is not part of the tool's name.
    expect(called("x").scopeText.session).toContain("mcp__a__b__c of the server x with");
  });
});

describe("the key of a grant", () => {
  const build = rule("Bash", "npm run *");
  const key = (call: Call = {}, ...more: PermissionUpdate[]) =>
    offer([build, ...more], call).grantKey;

  test("is the same for the same command, however it is described", () => {
    const described = { command: "npm run build", description: "Build it" };
    expect(key({ input: described })).toBe(key());
    expect(key({}, acceptEdits)).toBe(key());
  });

  test.each<[string, Call, ...PermissionUpdate[]]>([
    ["another word that the same rule covers", { input: { command: "npm run test" } }],
    ["one space more", { input: { command: "npm  run build" } }],
    ["a comment", { input: { command: "npm run build # text" } }],
    ["a loop", { input: { command: "for i in 1; do npm run build; done" } }],
    ["another time limit", { input: { command: "npm run build", timeout: 5 } }],
    ["a description that is no text", { input: { command: "npm run build", description: 1 } }],
    ["a rule more", {}, rule("Bash", "rm x")],
    ["a folder more", {}, folder("/etc")],
    ["another reason to ask", { decisionReason: "It writes to a sensitive file." }],
    ["another blocked path", { blockedPath: "/etc/passwd" }],
    ["another directory to run in", { cwd: "/work/sub" }],
  ])("[R-6] differs for a call with %s", (_, call, ...more) => {
    expect(key(call, ...more)).toBeDefined();
    expect(key(call, ...more)).not.toBe(key());
  });
});
