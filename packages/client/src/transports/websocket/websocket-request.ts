import type { SocketMethod } from "@holdpoint/protocol";
import { fromProblem } from "@holdpoint/protocol";

import type { GatewayAnswer } from "../gateway-answer.ts";
import { withinTimeout } from "../within-timeout.ts";
import type { TimeoutOptions } from "../within-timeout.ts";
import type { WebSocketLink } from "./websocket-link.ts";

export interface WebSocketCall {
  readonly method: SocketMethod;
  readonly params?: object;
  readonly signal?: AbortSignal | undefined;
}

export interface WebSocketRequester {
  /**
   * One request and its answer, within the request timeout; connects when needed. A request that does nothing twice is
   * sent once more when its connection ended before the answer. Rejects with `ClientError` when there is no answer, with
   * `ProtocolError` when the gateway refuses the connection or would refuse the frame's size, and with the signal's
   * reason when aborted.
   */
  readonly ask: <T>(call: WebSocketCall) => Promise<GatewayAnswer<T>>;
  /** Like `ask`, but a problem rejects as `ProtocolError`. */
  readonly request: <T>(call: WebSocketCall) => Promise<T>;
}

/** Those that change nothing, set what they set, or carry an idempotency key. */
const REPEATABLE: ReadonlySet<SocketMethod> = new Set<SocketMethod>([
  "listAgents",
  "listSessions",
  "getSession",
  "listQueue",
  "readEvents",
  "listInteractions",
  "getInteraction",
  "listGrants",
  "sendMessage",
  "respond",
  "setInteractionMode",
]);

export function createWebSocketRequester(
  link: WebSocketLink,
  options: TimeoutOptions,
): WebSocketRequester {
  const ask = <T>({ method, params, signal }: WebSocketCall): Promise<GatewayAnswer<T>> =>
    withinTimeout(options, signal, async (ending) => {
      const release = link.hold("request");
      try {
        for (let tries = 1; ; tries += 1) {
          const connection = await link.connect(ending);
          try {
            const frame = { type: "request", method, params };
            return (await connection.ask(frame, { signal: ending })) as GatewayAnswer<T>;
          } catch (error: unknown) {
            const isLost = connection.over.aborted && error === connection.over.reason;
            if (ending.aborted || !isLost || tries > 1 || !REPEATABLE.has(method)) throw error;
          }
        }
      } finally {
        release();
      }
    });
  return {
    ask,
    async request<T>(call: WebSocketCall) {
      const answer = await ask<T>(call);
      if (!answer.ok) throw fromProblem(answer.problem);
      return answer.value;
    },
  };
}
