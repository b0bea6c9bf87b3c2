import type { ProtocolError } from "@holdpoint/protocol";

import { ClientError } from "../client-error.ts";
import { readProblem } from "../read-problem.ts";

/** Reads the body as JSON. Resolves to `undefined` if it is empty. */
export async function readJson(response: Response): Promise<unknown> {
  const text = await readText(response);
  if (text === "") return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch (error: unknown) {
    throw new ClientError("BAD_ANSWER", "The gateway's answer is not JSON.", { cause: error });
  }
}

/**
 * Reads the error from a response. A response without a problem document does not come from a gateway: a proxy that
 * cannot reach it counts as a broken connection, everything else as unreadable.
 */
export async function readError(response: Response): Promise<ClientError | ProtocolError> {
  const stated = parseProblem(await readText(response));
  if (stated) return stated;
  const { status } = response;
  return status >= 502 && status <= 504
    ? new ClientError("CONNECTION_CLOSED", `The gateway is not available (${status}).`)
    : new ClientError("BAD_ANSWER", `The answer ${status} carries no problem document.`);
}

async function readText(response: Response): Promise<string> {
  try {
    return await response.text();
  } catch (error: unknown) {
    throw brokenConnection(error);
  }
}

export function brokenConnection(cause: unknown): ClientError {
  return new ClientError("CONNECTION_CLOSED", "The connection to the gateway broke.", { cause });
}

function parseProblem(text: string): ProtocolError | undefined {
  try {
    return readProblem(JSON.parse(text));
  } catch {
    return undefined; // Not JSON, so not a problem document.
  }
}
