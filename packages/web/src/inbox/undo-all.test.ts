import { ClientError } from "@holdpoint/client";
import { ProtocolError, type Interaction } from "@holdpoint/protocol";
import { expect, test } from "vitest";

import { undoAll } from "./undo-all.ts";

const late = new ProtocolError("ALREADY_ANSWERED", "The agent has the answer.");
const away = new ClientError("CONNECTION_CLOSED", "The gateway cannot be reached.");

async function undo(answers: Readonly<Record<string, Error | undefined>>) {
  const undoable = Object.keys(answers).map((interactionId) => ({
    interactionId,
    answeredAt: "2026-01-01T00:00:00.000Z",
    undoUntil: "2026-01-01T00:00:05.000Z",
  }));
  const undoResponse = (interactionId: string): Promise<Interaction> => {
    const error = answers[interactionId];
    return error === undefined
      ? Promise.resolve({ interactionId } as Interaction)
      : Promise.reject(error);
  };
  return undoAll({ undoResponse }, undoable);
}

test("a late answer does not prevent others from being undone, and each result is reported", async () => {
  expect(await undo({ first: undefined, second: late, third: undefined, fourth: away })).toEqual({
    undone: ["first", "third"],
    late: ["second"],
    failed: ["fourth"],
    trouble: late,
  });
});

test("an undo of all without failures reports no error", async () => {
  expect(await undo({ first: undefined, second: undefined })).toEqual({
    undone: ["first", "second"],
    late: [],
    failed: [],
  });
});
