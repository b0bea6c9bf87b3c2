import { expect, test } from "vitest";

import { anApprovalInteraction, anInteraction } from "../../testing/interactions.ts";
import { toCheckMessage } from "./check-message.ts";

test("the agent is asked to look, and not to run the call again", () => {
  const bash = anApprovalInteraction({ input: { command: "npm run deploy\necho done" } });
  expect(toCheckMessage({ ...bash, toolName: "Bash" })).toBe(
    "You or the gateway were stopped while you got my decision about a tool call: Bash (npm run deploy). " +
      "Nobody knows whether it ran. Look whether it did, without running it again, and tell me what you found.",
  );
});

test("[R-5] the command names no file for the agent's runtime to read", () => {
  const bash = anApprovalInteraction({ input: { command: "cat @/etc/passwd" } });
  expect(toCheckMessage(bash)).toContain(String.raw`(cat \@/etc/passwd)`);
});

test("a long command is cut, and a call without one is named by its tool", () => {
  const long = anApprovalInteraction({ input: { command: "x".repeat(10_000) } });
  expect(toCheckMessage(long).length).toBeLessThan(600);
  const answer = { ...anInteraction(), kind: "question" as const, toolName: "ask_user" };
  expect(toCheckMessage(answer)).toContain("got my answer to a tool call: ask_user. ");
});
