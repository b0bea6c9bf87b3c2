import { factsOf, type OperationInput, type OperationName } from "@holdpoint/protocol";

import type { Randomness } from "../../lib/randomness.ts";
import { createCalls } from "../calls.ts";
import type { Calls } from "../transport.ts";
import type { HttpCall, HttpRequester } from "./http-request.ts";

/** The longest time that a gateway waits for a file. */
const FILE_TIMEOUT_MS = 60_000;

/** Creates all methods of a transport except its streams. */
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

/** Returns the path of an operation. Ids are encoded, so each stays within its segment. */
export function toPath(name: OperationName, ids: OperationInput): string {
  return factsOf(name).path.replaceAll(/\{(\w+)\}/g, (_, id: string) =>
    encodeURIComponent(ids[id] as string),
  );
}
