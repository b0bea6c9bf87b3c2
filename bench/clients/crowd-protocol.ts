/** How a client is connected: a page holds two event streams, or one socket with two subscriptions. */
export type ClientTransport = "sse" | "websocket";

/** The session that the clients follow, and its address. */
export interface Place {
  readonly port: number;
  readonly token: string;
  readonly sessionId: string;
}

/** Requests of the bench to the process of the clients. */
export type CrowdRequest =
  /** Connects this many more clients; answered when all have their initial data and nothing more arrives. */
  | {
      readonly type: "join";
      readonly place: Place;
      readonly transport: ClientTransport;
      readonly count: number;
    }
  /** Answers, and waits until every client has received it. */
  | {
      readonly type: "answer";
      readonly place: Place;
      readonly path: string;
      readonly body: object;
    };

export interface Told {
  /** From sending the answer until the client has the frame with it; one value for each client. */
  readonly latenciesMs: readonly number[];
  /** The texts one client received, from the answer on. */
  readonly texts: Texts;
}

/** Text by stream of a client. */
export interface Texts {
  readonly session: string;
  readonly overview: string;
}
