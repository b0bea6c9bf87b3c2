import { readFile } from "node:fs/promises";

import type { RespondBody } from "holdpoint/protocol";
import { describe, expect, test, vi } from "vitest";

import { openOwnGateway } from "../../examples/embed/in-process/src/gateway.ts";
import { createLetter } from "../../examples/embed/in-process/src/letter.ts";

const LETTER = "Hello,\n\nsee you on Monday.\n\nBye\nTheo\n";
const TO_A_FRIEND = "Hi Ana,\n\nsee you on Monday.\n\nAll the best\nTheo\n";

/**
 * Makes the app's agent rewrite the letter for a friend, with this decision of the person. Returns the letter
 * afterwards.
 */
async function rewrite(decision: RespondBody): Promise<string> {
  const letter = createLetter(LETTER);
  await using transport = await openOwnGateway(letter);
  const { sessionId } = await transport.createSession({ agent: "editor" });
  const waiting = (kind: string) =>
    vi.waitFor(async () => {
      const { items } = await transport.listInteractions({ status: ["pending"] });
      const found = items.find((interaction) => interaction.kind === kind);
      if (found === undefined) throw new Error(`No ${kind} waits.`);
      return found;
    });
  await transport.sendMessage(sessionId, { content: "Make it fit its reader" });
  const question = await waiting("question");
  await transport.respond(question.interactionId, {
    action: "submit",
    answers: [{ questionId: "reader", selected: ["friend"] }],
  });
  const { interactionId, approval } = await waiting("approval");
  expect(letter.read()).toBe(LETTER);
  const digest = decision.action === "approve" && { digest: approval?.digest ?? "" };
  const { status } = await transport.respond(interactionId, { ...decision, ...digest });
  expect(status).toBe("accepted");
  await vi.waitFor(async () => {
    const { items } = await transport.readEvents(sessionId);
    expect(items.at(-1)?.type).toBe("turn_ended");
  });
  return letter.read();
}

describe("the guide's app", () => {
  test("[R-6] writes exactly the text that was shown", async () => {
    expect(await rewrite({ action: "approve" })).toBe(TO_A_FRIEND);
  });

  test("[R-6] writes the person's edit", async () => {
    const editedInput = { text: "Hi Ana!" };
    expect(await rewrite({ action: "approve", editedInput })).toBe("Hi Ana!");
  });

  test("[R-5] writes nothing that was denied", async () => {
    expect(await rewrite({ action: "deny" })).toBe(LETTER);
  });
});

test.each(["over-http/src/gateway.ts", "over-http/src/assistant.tsx", "in-process/src/gateway.ts"])(
  "the guide shows %s exactly as it is tested",
  async (file) => {
    const [guide, code] = await Promise.all([
      readFile(new URL("../embedding.md", import.meta.url), "utf8"),
      readFile(new URL(`../../examples/embed/${file}`, import.meta.url), "utf8"),
    ]);
    expect(guide).toContain(`${file.endsWith("x") ? "```tsx" : "```ts"}\n${code}\`\`\``);
  },
);
