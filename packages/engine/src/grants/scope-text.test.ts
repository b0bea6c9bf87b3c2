import { type ApprovalScope, inEnglish } from "@holdpoint/protocol";
import { expect, test } from "vitest";

import { approval } from "../testing/gateway-fixture.ts";
import { exactScopeText, inputText, scopeTextOf } from "./scope-text.ts";

type Patch = NonNullable<Parameters<typeof approval>[1]>;

function textOf(patch: Patch) {
  const request = approval("call_1", { toolName: "deploy", ...patch });
  if (request.kind !== "approval") throw new Error("This is no approval.");
  return scopeTextOf(request).scopeText;
}

test("every wider scope on offer has a text of what it covers, whatever the tool provides", () => {
  const scopes: ApprovalScope[] = ["once", "session", "always"];
  for (const said of [
    {},
    { session: "Mine." },
    { always: " " },
    { session: "", always: "Mine." },
  ]) {
    for (const grantKey of [{}, { grantKey: "key" }]) {
      const text = textOf({ scopes, scopeText: said, ...grantKey });
      expect(Object.keys(text)).toEqual(["session", "always"]);
      expect(text.always).toMatch(/^(?:Mine\.|.{20,}\. In every session\.)$/u);
      expect(text.session).toMatch(/^(?:Mine\.|.{20,}\. Until this session ends\.)$/u);
    }
  }
});

test("a scope that is not on offer has no text", () => {
  expect(textOf({ scopes: ["once"], scopeText: { session: "Mine." } })).toEqual({});
});

test("the text for an exact call names tool, directory and input, and counts what it cuts off", () => {
  const { session } = exactScopeText({ toolName: "deploy", input: { to: "test" }, cwd: "/work" });
  expect(inEnglish(session)).toBe(
    'deploy in /work with exactly the input {"to":"test"}. Until this session ends.',
  );
  const { text, rest } = inputText("x".repeat(400));
  expect(text).toHaveLength(301);
  expect(inEnglish(rest)).toBe("(102 more characters are not shown here.)");
});

test("texts of the gateway or an agent also exist as codes, and a tool's own texts do not", () => {
  const scopes: ApprovalScope[] = ["session", "always"];
  const own = approval("call_1", { scopes, scopeText: { session: "Mine." } });
  const { scopeText, said } = scopeTextOf(own as Parameters<typeof scopeTextOf>[0]);
  expect(Object.keys(said ?? {})).toEqual(["always"]);
  expect(scopeText.always).toBe(inEnglish(said!["always"]!));
  // Whatever an adapter adds, there is one text, and its English is made here.
  expect(scopeText.session).toBe("Mine.");
});

test("[R-6] a tool's unknown code leaves no scope without a text", () => {
  const unknown = { session: { code: "unheard_of" } } as const;
  const text = textOf({ scopes: ["once", "session"], scopeText: unknown });
  expect(text).toEqual(textOf({ scopes: ["once", "session"], scopeText: {} }));
  expect(text.session).not.toBe("");
});
