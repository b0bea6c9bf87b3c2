import type { HoldResult } from "holdpoint/engine";
import { expect, test, vi } from "vitest";

import { createCanUseTool } from "./can-use-tool.ts";

type Response = Extract<HoldResult, { outcome: "answered" }>["response"];
type Hold = Parameters<typeof createCanUseTool>[0]["hold"];

const answered = (response: Response, input?: Record<string, unknown>): HoldResult => ({
  outcome: "answered",
  interactionId: "int_1",
  response,
  ...(input && { input }),
  delivered: async () => undefined,
});

test.each<[string, HoldResult, object]>([
  [
    "an edit",
    answered({ action: "approve" }, { command: "ls" }),
    { behavior: "allow", updatedInput: { command: "ls" } },
  ],
  [
    "a denial",
    answered({ action: "deny", reason: "Not now." }),
    { behavior: "deny", message: "Not now." },
  ],
  ["a denial of an input", answered({ action: "deny" }, { command: "rm" }), { behavior: "deny" }],
  ["silence", { outcome: "withdrawn", reason: "stopped" }, { behavior: "deny" }],
  ["an approval of nothing", answered({ action: "approve" }), { behavior: "deny" }],
])("[R-5] the guide's `canUseTool` makes the right decision of %s", async (_, held, decision) => {
  const hold = vi.fn<Hold>(async () => held);
  const { signal } = new AbortController();
  const canUseTool = createCanUseTool({ hold });
  const asked = canUseTool("Bash", { command: "rm" }, { signal, toolUseID: "toolu_1" });
  expect(await asked).toMatchObject(decision);
  expect(hold.mock.calls[0]?.[0]).toMatchObject({
    toolCallId: "toolu_1",
    input: { command: "rm" },
  });
});
