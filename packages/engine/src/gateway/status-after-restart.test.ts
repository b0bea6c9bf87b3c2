import { expect, onTestFinished, test } from "vitest";

import { ada, Reader } from "../testing/gateway-fixture.ts";
import { createMachine } from "../testing/tool-scene.ts";
import type { StoreFaults } from "../testing/wrapped-store.ts";
import { defineTool } from "../tools/define-tool.ts";

const GRACE_MS = 10_000;

const tools = [
  defineTool({
    name: "probe",
    description: "Asks.",
    handler: (_args: Record<string, unknown>, context) =>
      context.requestInteraction({
        kind: "form",
        inputSchema: { type: "object", properties: { text: { type: "string" } } },
        onResponse: ({ values }) => ({ complete: values }),
      }),
  }),
];

test.each([
  ["its request", false],
  ["the answer that its call has not received", true],
] as const)(
  "[R-10] after a restart a session waits for %s until it is given up",
  async (_name, isAnswered) => {
    const machine = createMachine();
    const faults: StoreFaults = {};
    const first = await machine.start({ tools }, faults);
    const { sessionId } = first;
    void first.call({ name: "probe" }).result.catch(() => undefined);
    await first.clock.settle();
    if (isAnswered) {
      // The answer is stored, and the process dies before its agent has it.
      faults.afterAppend = () => void (faults.dead = true);
      const [asked] = await first.interactions("pending");
      const body = { action: "submit", values: { text: "yes" } } as const;
      await first.gateway.respond(ada, asked!.interactionId, body).catch(() => undefined);
    }
    faults.dead = true;
    await first.gateway.close().catch(() => undefined);

    const second = await machine.start({ tools, sessionId });
    onTestFinished(() => second.gateway.close());
    await using reader = Reader.session(second.gateway, sessionId);
    await using overview = Reader.overview(second.gateway);
    const statuses = async (): Promise<unknown[]> => {
      await second.clock.settle();
      const [listed] = (await second.gateway.listSessions(ada, { limit: 10 })).items;
      const { status } = await second.gateway.getSession(ada, sessionId);
      const followed = reader.frames.findLast((frame) => frame.type === "session_status");
      const seen = overview.frames.flatMap((frame) => {
        if (frame.type === "snapshot") return frame.sessions.items;
        return frame.type === "session_changed" ? [frame.session] : [];
      });
      return [status, listed?.status, followed?.status, seen.at(-1)?.status];
    };
    expect(await statuses()).toEqual(["waiting", "waiting", "waiting", "waiting"]);
    await second.clock.advance(GRACE_MS - 1);
    expect(await statuses()).toEqual(["waiting", "waiting", "waiting", "waiting"]);
    await second.clock.advance(1000);
    expect(await statuses()).toEqual(["idle", "idle", "idle", "idle"]);
  },
);
