import type { Problem } from "@holdpoint/protocol";

import { ClientError } from "../client-error.ts";
import { readProblemValue } from "../gateway-answer.ts";

/** The body as JSON; `undefined` when there is none. */
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
 * The problem that an answer states. One that states none was not made by a gateway: a proxy that cannot reach it
 * counts as a broken connection, anything else as unreadable.
 */
export async function readProblem(response: Response): Promise<Problem> {
  const problem = toProblem(await readText(response));
  if (problem) return problem;
  if (response.status >= 502 && response.status <= 504) {
    throw new ClientError("CONNECTION_CLOSED", `The gateway is not there (${response.status}).`);
  }
  throw new ClientError("BAD_ANSWER", `The answer ${response.status} carries no problem document.`);
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

function toProblem(text: string): Problem | undefined {
  try {
    return readProblemValue(JSON.parse(text));
  } catch {
    return undefined; // Not JSON: no problem document.
  }
}
