import { createRecordingTurn } from "@holdpoint/engine/testing";
import { expect, test, vi } from "vitest";

import { callTool, inOrder, say } from "../src/testing/index.ts";
import { openClaudeScene } from "./support/claude-scene.ts";
import { openProbeServer } from "./support/tool-server.ts";

test("a call of a gateway tool whose agent was parked is repeated with the same id", async () => {
  await using server = await openProbeServer();
  let opened = 0;
  await using scene = await openClaudeScene({
    openTools: async () => {
      opened += 1;
      const { url } = server;
      return { url, token: `token-${opened}`, [Symbol.asyncDispose]: () => Promise.resolve() };
    },
  });
  scene.model.play(
    inOrder([[callTool("mcp__holdpoint__probe", {}, "toolu_probe")], [say("Done.")]]),
  );
  const session = await scene.openSession();
  const first = createRecordingTurn();
  const ended = session.runTurn({ messageId: "msg_1", content: "go" }, first);
  await vi.waitFor(() => expect(server.calls).toHaveLength(1), 60_000);
  expect(await session.canResume!("toolu_probe")).toBe(true);
  await session.park!();
  expect(await ended).toEqual({ reason: "parked" });
  server.answer("The person said yes.");
  const next = await scene.openSession({ state: first.state ?? "" });
  const second = createRecordingTurn();
  expect(await next.resumeTurn!("toolu_probe", second)).toEqual({ reason: "done" });
  expect(server.calls.map(({ toolCallId }) => toolCallId)).toEqual(["toolu_probe", "toolu_probe"]);
  expect(server.calls.at(-1)?.credential).toBe("Bearer token-2");
  expect(scene.model.requests.at(-1)?.results).toMatchObject([{ text: "The person said yes." }]);
  expect(second.events.map(({ type }) => type)).toEqual(["tool_result", "assistant_message"]);
});
