/** One server-sent event as it came. */
export interface ReceivedFrame {
  readonly id?: string;
  readonly data: Record<string, unknown>;
}

/** A reader of an event stream. */
export interface StreamReader {
  /** The next frames; fewer when the stream ends. */
  take(count: number): Promise<ReceivedFrame[]>;
  /** Breaks the connection. */
  leave(): Promise<void>;
}

/** Reads the frames of an event stream as they arrive. */
export function readStream(response: Response): StreamReader {
  const pieces = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const frames: ReceivedFrame[] = [];
  let rest = "";
  return {
    take: async (count) => {
      while (frames.length < count) {
        const { done, value } = await pieces.read();
        if (done) break;
        const blocks = (rest + value).split("\n\n");
        rest = blocks.pop()!;
        frames.push(...blocks.map(parseFrame));
      }
      return frames.splice(0, count);
    },
    leave: () => pieces.cancel(),
  };
}

/** A frame from its lines. */
export function parseFrame(block: string): ReceivedFrame {
  const [, id, json] = /^(?:id: (.*)\n)?data: (.*)$/.exec(block)!;
  const data = JSON.parse(json!) as Record<string, unknown>;
  return id === undefined ? { data } : { id, data };
}
