import { connect } from "node:net";

import type { AgentToken } from "@holdpoint/protocol";

import { UsageError } from "../usage-error.ts";
import { type ControlRequest, controlAnswerSchema, readMessage } from "./control-message.ts";
import { controlPath } from "./control-path.ts";

/** Asks the gateway that runs with a data folder. Rejects with `UsageError` when there is none, or it refuses. */
export async function askGateway(dataDir: string, request: ControlRequest): Promise<AgentToken> {
  const socket = connect(controlPath(dataDir));
  socket.end(JSON.stringify(request));
  const said = await readMessage(socket).catch((error: unknown) => {
    throw new UsageError(
      `No gateway answers that keeps its data in ${dataDir}. Start one, or name the folder of one that runs with --data-dir.`,
      { cause: error },
    );
  });
  const answer = controlAnswerSchema.parse(said);
  if ("error" in answer) throw new UsageError(`The gateway refuses: ${answer.error}`);
  return answer;
}
