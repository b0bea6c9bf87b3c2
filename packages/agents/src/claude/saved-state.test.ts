import { describe, expect, test } from "vitest";

import { addGrants, emptyState, parseState, serializeState } from "./saved-state.ts";

describe("the state of a session", () => {
  test("comes back as it was", () => {
    const state = {
      conversationId: "c1",
      grants: { allow: ["Bash(ls)"], additionalDirectories: ["/tmp"] },
    };
    expect(parseState(serializeState(state))).toEqual(state);
  });

  test.each([
    undefined,
    "",
    "no such state",
    "null",
    "[]",
    '{"grants":{"allow":"Bash"}}',
    '{"conversationId":7}',
  ])("[R-5] allows nothing where it is %o", (text) => {
    expect(parseState(text)).toEqual(emptyState);
  });

  test("gathers what was allowed, once each, and nothing else", () => {
    const { grants } = emptyState;
    const rules = [{ toolName: "Bash", ruleContent: "ls" }, { toolName: "WebSearch" }];
    const destination = "session" as const;
    const updates = [
      { type: "addRules" as const, behavior: "allow" as const, rules, destination },
      { type: "addRules" as const, behavior: "deny" as const, rules, destination },
      { type: "addDirectories" as const, directories: ["/tmp"], destination },
      { type: "setMode" as const, mode: "acceptEdits" as const, destination },
    ];
    expect(addGrants(addGrants(grants, updates), updates)).toEqual({
      allow: ["Bash(ls)", "WebSearch"],
      additionalDirectories: ["/tmp"],
    });
  });
});
