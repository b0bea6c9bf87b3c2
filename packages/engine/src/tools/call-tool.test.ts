import { expect, test } from "vitest";
import { z } from "zod";

import { ada, never, openFixture } from "../testing/gateway-fixture.ts";
import { defineTool } from "./define-tool.ts";

const done = async () => ({ reason: "done" as const });

const deleteFiles = defineTool({
  name: "delete_files",
  description: "Deletes files.",
  parameters: z.object({ files: z.array(z.string()).min(1) }),
  handler: ({ files }, context) =>
    context.requestInteraction({
      kind: "approval",
      prompt: `Delete ${files.length} files?`,
      whenUnavailable: "wait",
      onResponse: ({ action }) => ({
        complete: action === "approve" ? { ok: true, deleted: files } : { ok: false },
      }),
    }),
});

test("smoke: an approval in a turn of its own", async () => {
  await using fixture = await openFixture(done, { tools: [deleteFiles] });
  const sessionId = await fixture.createSession();
  const call = fixture.gateway.tools.call(
    { sessionId, toolCallId: "c1", name: "delete_files", args: { files: ["a"] } },
    { signal: never },
  );
  await fixture.clock.settle();
  const [interaction] = await fixture.interactions("pending");
  await fixture.gateway.respond(ada, interaction!.interactionId, {
    action: "approve",
    digest: interaction!.approval!.digest,
  });
  expect(await call.result).toMatchObject({
    isError: false,
    content: '{"ok":true,"deleted":["a"]}',
  });
  await fixture.clock.settle();
  expect(await fixture.eventTypes(sessionId)).toEqual([
    "turn_started",
    "tool_call",
    "interaction_request",
    "interaction_response",
    "interaction_delivered",
    "tool_result",
    "turn_ended",
  ]);
  expect(fixture.errors).toEqual([]);
});
