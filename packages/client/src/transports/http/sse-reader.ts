import { createParser } from "eventsource-parser";

import type { Clock } from "../../lib/clock.ts";
import { ClientError } from "../client-error.ts";
import { watchSilence } from "../silence-watch.ts";
import { brokenConnection } from "./http-answer.ts";

/** More than any event that a gateway accepts. A stream with a larger frame does not come from a gateway. */
const MAX_FRAME_CHARACTERS = 64 * 1024 * 1024;

interface Frame {
  readonly type: string;
}

export interface SseReaderOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** If no first byte arrives in this time, something is withholding the stream. */
  readonly firstTimeoutMs?: number | undefined;
  /** If no byte arrives in this time, the connection counts as dead. */
  readonly idleTimeoutMs: number;
}

/**
 * Yields the frames of an event stream in batches, as they arrive. Returns when the body ends. Rejects with the
 * signal's reason when aborted, and with `ClientError` when the connection breaks, falls silent or carries no frames.
 * Always releases the connection.
 */
export async function* readSse(
  response: Response,
  { clock, signal, firstTimeoutMs, idleTimeoutMs }: SseReaderOptions,
): AsyncGenerator<readonly Frame[]> {
  if (!response.body) throw new ClientError("BAD_ANSWER", "The stream has no body.");
  const reader = response.body.getReader();
  const first =
    firstTimeoutMs === undefined
      ? undefined
      : watchSilence({ clock, signal, silenceMs: firstTimeoutMs });
  const watchdog = watchSilence({ clock, signal, silenceMs: idleTimeoutMs });
  let isFirst = true;
  const cancel = (): void => void reader.cancel().catch(ignore);
  signal.addEventListener("abort", cancel, { once: true });
  watchdog.silent.addEventListener("abort", cancel, { once: true });
  first?.silent.addEventListener("abort", () => isFirst && cancel(), { once: true });
  const decode = createDecoder();
  try {
    for (;;) {
      signal.throwIfAborted();
      const chunk = await readChunk(reader, signal);
      if (isFirst && first?.silent.aborted) throw heldBack();
      if (watchdog.silent.aborted) {
        throw new ClientError("CONNECTION_CLOSED", "The stream sent nothing for too long.");
      }
      if (chunk === undefined) return;
      watchdog.touch();
      const batch = decode(chunk);
      isFirst = false;
      if (batch.length > 0) yield batch;
    }
  } finally {
    signal.removeEventListener("abort", cancel);
    watchdog[Symbol.dispose]();
    first?.[Symbol.dispose]();
    await reader.cancel().catch(ignore);
  }
}

export function heldBack(): ClientError {
  return new ClientError(
    "STREAM_HELD_BACK",
    "Something between the gateway and this client holds its stream back.",
  );
}

async function readChunk(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  try {
    const { value } = await reader.read();
    signal.throwIfAborted();
    return value;
  } catch (error: unknown) {
    signal.throwIfAborted();
    throw brokenConnection(error);
  }
}

function createDecoder(): (chunk: Uint8Array) => Frame[] {
  const text = new TextDecoder();
  let batch: Frame[] = [];
  const parser = createParser({
    maxBufferSize: MAX_FRAME_CHARACTERS,
    onEvent: ({ data }) => batch.push(parseFrame(data)),
    onError: (error) => {
      if (error.type !== "max-buffer-size-exceeded") return; // Unknown fields must be ignored.
      throw new ClientError("BAD_ANSWER", "A frame is too large.", { cause: error });
    },
  });
  return (chunk) => {
    batch = [];
    parser.feed(text.decode(chunk, { stream: true }));
    return batch;
  };
}

function parseFrame(data: string): Frame {
  let frame: unknown;
  try {
    frame = JSON.parse(data);
  } catch (error: unknown) {
    throw new ClientError("BAD_ANSWER", "A frame is not JSON.", { cause: error });
  }
  if (isFrame(frame)) return frame;
  throw new ClientError("BAD_ANSWER", "A frame has no type.");
}

function isFrame(value: unknown): value is Frame {
  return (
    typeof value === "object" && value !== null && "type" in value && typeof value.type === "string"
  );
}

function ignore(): void {}
