import {
  callOperation,
  type Caller,
  type GatewayApi,
  type OverviewFrame,
  type SessionFrame,
} from "@holdpoint/protocol";

import { createBrowserRandomness } from "../../lib/randomness.ts";
import { createCalls } from "../calls.ts";
import type { Transport } from "../transport.ts";
import { createDirectCalls, type DirectCalls } from "./direct-call.ts";
import { readInput } from "./direct-input.ts";

export interface DirectTransportOptions {
  readonly gateway: GatewayApi;
  /** The person who answers. The host is responsible for verifying this. */
  readonly person: string;
  /** The host's name for itself, such as the name of an editor. */
  readonly client: string;
  readonly clientId: string;
}

/**
 * Creates a transport to a gateway in the same process, for hosts that embed one. Behaves like a network transport:
 * inputs and results are copied as JSON and validated by the same schemas. Disposing it ends its streams, not the
 * gateway.
 */
export function createDirectTransport(options: DirectTransportOptions): Transport {
  const { gateway, person, client, clientId } = options;
  const caller: Caller = { principal: "person", person, client, clientId };
  const { call, follow, close } = createDirectCalls();
  const announced = <TFrame extends { readonly type: string }>(
    open: Parameters<DirectCalls["follow"]>[0],
    signal: AbortSignal,
  ): AsyncIterable<readonly TFrame[]> =>
    follow<TFrame>(async (ending) => {
      const frames = await open(ending);
      gateway.announceClient(caller, { signal: ending });
      return frames;
    }, signal);
  return {
    clientId,
    ...createCalls(
      (name, input, callOptions) =>
        call(async () => callOperation(gateway, caller, name, readInput(name, input)), callOptions),
      createBrowserRandomness(),
    ),
    followSession: (sessionId, cursor, { signal }) =>
      announced<SessionFrame>(async (ending) => {
        await gateway.getSession(caller, sessionId); // Refuses before the stream opens, like HTTP.
        return gateway.followSession(caller, sessionId, { ...cursor }, { signal: ending });
      }, signal),
    followOverview: ({ signal }) =>
      announced<OverviewFrame>(
        async (ending) => gateway.followOverview(caller, { signal: ending }),
        signal,
      ),
    async [Symbol.asyncDispose]() {
      close();
    },
  };
}
