import { ClientError } from "../client-error.ts";
import { untilAborted } from "../until-aborted.ts";

/** The limit for unread frames, in characters of JSON. A single frame may be larger. */
const MAX_WAITING_CHARACTERS = 8 * 1024 * 1024;

/** Frames that have arrived but are not read yet. Needed because a socket cannot pause only one of its streams. */
export interface FrameQueue<TFrame> {
  /** Returns `false` if the reader is too slow: it gets the queued frames, then `CONNECTION_CLOSED`. */
  push(frame: TFrame, characters: number): boolean;
  /** Ends the queue with an error after the queued frames. Only the first error counts. */
  fail(error: Error): void;
  /** Returns all queued frames, waiting for at least one. Rejects with the final error, or when the signal aborts. */
  next(signal: AbortSignal): Promise<readonly TFrame[]>;
}

export function createFrameQueue<TFrame>(): FrameQueue<TFrame> {
  let frames: TFrame[] = [];
  let characters = 0;
  let failure: Error | undefined;
  let wake: (() => void) | undefined;
  const fail = (error: Error): void => {
    failure ??= error;
    wake?.();
  };
  return {
    push(frame, size) {
      if (failure) return false;
      if (frames.length > 0 && characters + size > MAX_WAITING_CHARACTERS) {
        fail(new ClientError("CONNECTION_CLOSED", "The reader of a stream is too slow."));
        return false;
      }
      frames.push(frame);
      characters += size;
      wake?.();
      return true;
    },
    fail,
    async next(signal) {
      signal.throwIfAborted();
      while (frames.length === 0) {
        if (failure) throw failure;
        const { promise, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        await untilAborted(promise, signal);
      }
      const batch = frames;
      frames = [];
      characters = 0;
      return batch;
    },
  };
}
