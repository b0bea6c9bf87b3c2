import { factsOf, type OperationInput, type OperationName } from "@holdpoint/protocol";

import type { Randomness } from "../../lib/randomness.ts";
import { createCalls } from "../calls.ts";
import type { Calls } from "../transport.ts";
import type { HttpCall, HttpRequester } from "./http-request.ts";

/** A gateway waits no longer for a file. */
const FILE_TIMEOUT_MS = 60_000;

/** All of a transport but its streams. */
export function createHttpCalls(
  requester: HttpRequester,
  { clientId, randomness }: { readonly clientId: string; readonly randomness: Randomness },
): Calls {
  return createCalls((name, input, { signal }) => {
    const { method, carriesFile } = factsOf(name);
    const path = toPath(name, { clientId, ...input });
    const { query, body } = input;
    const call = { method, path, query: query as HttpCall["query"], body, signal };
    return requester.request({ ...call, ...(carriesFile && { timeoutMs: FILE_TIMEOUT_MS }) });
  }, randomness);
}

/** The path of an operation; ids cannot leave their place in it. */
export function toPath(name: OperationName, ids: OperationInput): string {
  return factsOf(name).path.replaceAll(/\{(\w+)\}/g, (_, id: string) =>
    encodeURIComponent(ids[id] as string),
  );
}
