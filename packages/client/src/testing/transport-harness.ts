import {
  type EventOf,
  type Interaction,
  type Session,
  type SessionEventType,
  type SessionFrame,
  ProtocolError,
} from "@holdpoint/protocol";
import { expect, onTestFinished } from "vitest";

import { ClientError } from "../transports/client-error.ts";
import type { Transport } from "../transports/transport.ts";

/**
 * A fresh gateway whose agent `scripted` does what its messages say:
 * - `say WORDS`: shows the growing text, sends it, and ends.
 * - `ask`: calls the tool `Ask` as `call-ask` and asks the questions `q1` (one of `o1` Green, `o2` Blue) and `q2` (any
 *   of `o1` Milk, `o2` Salt, oat); says the response as JSON.
 * - `approve`: calls the tool `Write` as `call-approve` and asks to approve `{path: "a.txt"}` (once or for the session,
 *   with a grant key, editable); says as JSON what it ran, or `denied: REASON`.
 * - `expire`: does the same as `call-expire`, waits only a moment and accepts no late answer.
 * - `wait`: runs until it is stopped.
 *
 * Expired interactions leave its overview after a moment.
 */
export interface TransportHarness extends AsyncDisposable {
  /** A separate transport for each client. */
  connect(clientId: string): Transport;
  /** Adds a credential that was made on 1 January 2026 and last used a day later. */
  addCredential(credential: HarnessCredential): Promise<void>;
  /** Stops the gateway: its streams end with `draining`. */
  drain(): Promise<void>;
}

export interface HarnessCredential {
  readonly tokenId: string;
  readonly kind: "agent" | "device";
  readonly label: string;
  readonly sessionId?: string;
  /** Default: the person of the clients. */
  readonly person?: string;
}

export interface Clients {
  readonly one: Transport;
  readonly other: Transport;
  readonly harness: TransportHarness;
}

/** Two clients of a fresh gateway; everything is disposed when the test has finished. */
export async function connectClients(setup: () => Promise<TransportHarness>): Promise<Clients> {
  const harness = await setup();
  onTestFinished(() => harness[Symbol.asyncDispose]());
  const connect = (clientId: string): Transport => {
    const transport = harness.connect(clientId);
    onTestFinished(() => transport[Symbol.asyncDispose]());
    return transport;
  };
  return { one: connect("client-one"), other: connect("client-two"), harness };
}

/** Starts a session and sends its agent a message. */
export async function startTurn(transport: Transport, content: string): Promise<Session> {
  const session = await transport.createSession({ agent: "scripted" });
  await transport.sendMessage(session.sessionId, { content });
  return session;
}

/** The first event of a type in the log, awaited. */
export async function awaitEvent<TType extends SessionEventType>(
  transport: Transport,
  sessionId: string,
  type: TType,
): Promise<EventOf<TType>> {
  for await (const frame of follow(transport, sessionId)) {
    if (frame.type === type) return frame as EventOf<TType>;
  }
  return expect.unreachable(`The stream ended before a ${type}.`);
}

/** Starts a turn that asks, and returns its request. */
export async function startAsking(
  transport: Transport,
  content: "approve" | "ask" | "expire",
): Promise<{ readonly sessionId: string; readonly interaction: Interaction }> {
  const { sessionId } = await startTurn(transport, content);
  const { interaction } = await awaitEvent(transport, sessionId, "interaction_request");
  return { sessionId, interaction };
}

/** Every frame after a position, one by one, until the reader stops. */
export async function* follow(
  transport: Transport,
  sessionId: string,
  seq = 0,
): AsyncGenerator<SessionFrame> {
  const left = new AbortController();
  try {
    for await (const batch of transport.followSession(sessionId, { seq }, left)) yield* batch;
  } finally {
    left.abort();
  }
}

/** The reason that `work` rejects with. */
export async function rejectionOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => expect.unreachable("It should have been rejected."),
    (error: unknown) => error,
  );
}

/** The code of the typed error that `work` rejects with. */
export async function rejectionCodeOf(work: Promise<unknown>): Promise<string> {
  const error = await rejectionOf(work);
  if (ProtocolError.isInstance(error) || ClientError.isInstance(error)) return error.code;
  throw error;
}
