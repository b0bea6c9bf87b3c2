import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

/** How a client is connected: a page holds two event streams, or one socket with two subscriptions. */
export type ClientTransport = "sse" | "websocket";

/** What the bench asks of a server's process. `ask` is answered once a form is stored. */
export type ServerRequest = { readonly type: "ask" } | { readonly type: "memory" };

/** Where clients connect. */
export interface Place {
  readonly port: number;
  readonly token: string;
  readonly sessionId: string;
}

export interface Asked {
  readonly interactionId: string;
}

/** What a process holds after its garbage was collected. */
export interface MemoryUse {
  readonly residentBytes: number;
  /** On the heap and in buffers beside it. */
  readonly heapBytes: number;
}

/** What the bench asks of the process of the clients. */
export type CrowdRequest =
  /** Connects so many more; answered when they have what they get at first and nothing comes any more. */
  | {
      readonly type: "join";
      readonly place: Place;
      readonly transport: ClientTransport;
      readonly count: number;
    }
  /** Answers, and waits until every client has been told. */
  | {
      readonly type: "answer";
      readonly place: Place;
      readonly path: string;
      readonly body: object;
    };

export interface Told {
  /** From sending the answer until the client has the frame that tells it; one for each client. */
  readonly latenciesMs: readonly number[];
  /** What one client got, from the answer on. */
  readonly texts: Texts;
}

/** Text by stream of a client. */
export interface Texts {
  readonly session: string;
  readonly overview: string;
}

/** One call of another process at a time. */
export async function call<TAnswer>(
  child: ChildProcess,
  request: ServerRequest | CrowdRequest,
): Promise<TAnswer> {
  child.send(request);
  const [answer] = (await once(child, "message")) as [TAnswer];
  return answer;
}

/** Answers the calls of the bench until it is gone. */
export function serveCalls(answer: (request: never) => Promise<object>): void {
  process.on("message", (request) => {
    void answer(request as never).then((value) => process.send?.(value));
  });
  process.on("disconnect", () => process.exit(0));
}
