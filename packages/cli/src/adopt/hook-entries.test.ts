import { expect, test } from "vitest";

import { hasHook, isWhole, withHook, withoutHook } from "./hook-entries.ts";

const program = "/home/ada's data/terminal-hook";
const own = { type: "command", command: "say done" };

test("the hook is added after a person's hooks, and removed without them", () => {
  const settings = { model: "opus", hooks: { Stop: [{ hooks: [own] }] }, theme: "dark" };
  const adopted = withHook("claude", settings, program);
  expect(isWhole("claude", adopted, program)).toBe(true);
  expect(JSON.stringify(adopted)).toContain(String.raw`'/home/ada'\\''s data/terminal-hook' ask`);
  expect(adopted).toMatchObject({ hooks: { Stop: [{ hooks: [own] }, {}] } });
  expect(withHook("claude", adopted, program)).toEqual(adopted);
  expect(JSON.stringify(withoutHook(adopted, program))).toBe(JSON.stringify(settings));
});

test("a person's hook in the same group stays", () => {
  const adopted = withHook("claude", {}, program) as {
    hooks: Record<string, { hooks: unknown[] }[]>;
  };
  adopted.hooks["Stop"]?.[0]?.hooks.push(own);
  expect(withoutHook(adopted, program)).toEqual({ hooks: { Stop: [{ hooks: [own] }] } });
});

test("the hook of another data folder is another hook", () => {
  const adopted = withHook("claude", {}, program);
  expect(hasHook(adopted, "/other/terminal-hook")).toBe(false);
  expect(withoutHook(adopted, "/other/terminal-hook")).toBe(adopted);
});

test("[R-5] Codex gets its own events, and waits for the hook no longer than the gateway waits for a person", () => {
  const adopted = withHook("codex", { hooks: { Stop: [{ hooks: [own] }] } }, program);
  expect(isWhole("codex", adopted, program)).toBe(true);
  expect(isWhole("claude", adopted, program)).toBe(false);
  const text = JSON.stringify(adopted);
  expect(text).toContain("terminal-hook' ask codex");
  expect(text).not.toContain("PermissionDenied");
  const { hooks } = adopted as { hooks: Record<string, { hooks: { timeout: number }[] }[]> };
  expect(hooks["PermissionRequest"]?.[0]?.hooks[0]?.timeout).toBeGreaterThan(120);
  expect(withoutHook(adopted, program)).toEqual({ hooks: { Stop: [{ hooks: [own] }] } });
});

test.each([[{ hooks: [] }], [{ hooks: "x" }], [{ hooks: { Stop: {} } }]])(
  "hooks that cannot be read are left alone: %j",
  (settings) => {
    expect(() => withHook("claude", settings, program)).toThrow(TypeError);
  },
);
