/** How a client is connected: a page holds two event streams, or one socket with two subscriptions. */
export type ClientTransport = "sse" | "websocket";

/** The session that the clients follow, and where. */
export interface Place {
  readonly port: number;
  readonly token: string;
  readonly sessionId: string;
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
