import { createRecordingTurn } from "@holdpoint/engine/testing";
import { beforeEach, expect, test } from "vitest";

import { createExternalAdapter, type ExternalAdapter } from "./external-adapter.ts";

let adapter: ExternalAdapter;
beforeEach(() => {
  adapter = createExternalAdapter();
});

const open = (sessionId: string) =>
  adapter.openSession({ sessionId, cwd: "/work", permissionMode: "default" });
const message = (content: string) => ({ messageId: `msg of ${content}`, content });

test("a message waits until the agent fetches it, and is delivered once", async () => {
  const session = await open("ses_1");
  const turn = createRecordingTurn();
  const ended = session.runTurn(message("luxon"), turn);
  expect(await adapter.takeMessage("ses_2")).toBeUndefined();
  expect(await adapter.takeMessage("ses_1")).toBe("luxon");
  expect(await ended).toEqual({ reason: "done" });
  expect(await adapter.takeMessage("ses_1")).toBeUndefined();
});

test("a message whose turn was stopped is removed", async () => {
  const session = await open("ses_1");
  const turn = createRecordingTurn();
  const ended = session.runTurn(message("luxon"), turn);
  turn.stop();
  expect(await ended).toEqual({ reason: "stopped" });
  expect(await adapter.takeMessage("ses_1")).toBeUndefined();
});
