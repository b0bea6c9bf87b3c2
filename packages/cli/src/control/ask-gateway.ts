import { connect } from "node:net";

import { isErrorCode, ProtocolError } from "@holdpoint/protocol";
import type { z } from "zod";

import { UsageError } from "../usage-error.ts";
import {
  CONTROL_ANSWERS,
  type ControlRefusal,
  controlRefusalSchema,
  type ControlRequest,
  MAX_ANSWER_BYTES,
  readMessage,
} from "./control-message.ts";
import { controlPath } from "./control-path.ts";
import { socketAt } from "./socket-place.ts";

type Answer<TCommand extends ControlRequest["command"]> = z.infer<
  (typeof CONTROL_ANSWERS)[TCommand]
>;

/**
 * Sends a request to the running gateway of a data folder. Rejects with `UsageError` if none is running, or if it
 * refuses.
 */
export async function askGateway<TCommand extends ControlRequest["command"]>(
  dataDir: string,
  request: Extract<ControlRequest, { command: TCommand }>,
): Promise<Answer<TCommand>> {
  const socket = connect(socketAt(controlPath(dataDir)));
  socket.end(JSON.stringify(request));
  const said = await readMessage(socket, MAX_ANSWER_BYTES).catch((error: unknown) => {
    throw new UsageError(describeUnreached(dataDir, error), { cause: error });
  });
  const refusal = controlRefusalSchema.safeParse(said);
  if (refusal.success) throw toError(refusal.data);
  return CONTROL_ANSWERS[request.command].parse(said) as Answer<TCommand>;
}

/** Error codes of a missing gateway. `EINVAL`: the path is too long for a socket, and there is no link to one. */
const NOBODY_THERE: ReadonlySet<string> = new Set(["ENOENT", "ECONNREFUSED", "EINVAL"]);

function describeUnreached(dataDir: string, error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (NOBODY_THERE.has(code ?? "")) {
    return `No gateway runs with the data folder ${dataDir}. Start one, or name the data folder of a running one with --data-dir.`;
  }
  return `The gateway of the data folder ${dataDir} cannot be reached (${code ?? message}). Run holdpoint doctor to see why.`;
}

/** A `UsageError`, with the gateway's own error as its cause if the gateway sent its code. */
function toError({ error, code = "" }: ControlRefusal): UsageError {
  const cause = isErrorCode(code) ? { cause: new ProtocolError(code, error) } : {};
  return new UsageError(`The gateway refused: ${error}`, cause);
}
