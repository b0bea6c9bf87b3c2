import type { Interaction } from "@holdpoint/protocol";
import { expect, test } from "vitest";

import { findIdentical } from "./find-identical.ts";

const ask = (id: string, more: object = {}, over: object = {}): Interaction =>
  ({
    interactionId: id,
    sessionId: `session of ${id}`,
    status: "pending",
    kind: "approval",
    toolName: "Bash",
    approval: {
      input: { command: "npm test" },
      cwd: "/app",
      display: {},
      digest: `digest of ${id}`,
      scopes: ["once"],
      ...more,
    },
    ...over,
  }) as unknown as Interaction;
const ids = (found: readonly Interaction[]) => found.map(({ interactionId }) => interactionId);

test("[R-6] only cards that show exactly the same count as identical", () => {
  const first = ask("first");
  const same = ask("same");
  const others = [
    ask("other input", { input: { command: "npm test " } }),
    ask("more input", { input: { command: "npm test", timeout: 1 } }),
    ask("other directory", { cwd: "/app/" }),
    ask("other words", { display: { description: "Tests" } }),
    ask("a change", { change: { path: "/app/a", after: "b" } }),
    ask("other tool", {}, { toolName: "Shell" }),
    ask("other prompt", {}, { prompt: "Really?" }),
    ask("nobody waits", {}, { status: "orphaned" }),
    ask("deliberate", { defaultToDeny: true }),
    ask("not once", { scopes: ["session"] }),
  ];
  expect(ids(findIdentical(first, [first, ...others, same]))).toEqual(["same"]);
  for (const other of others) expect(findIdentical(other, [first, same])).toEqual([]);
});
