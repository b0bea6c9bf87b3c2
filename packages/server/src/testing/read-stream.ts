/** One server-sent event as it came. */
export interface ReceivedFrame {
  readonly id?: string;
  readonly data: Record<string, unknown>;
}

/** The frames of an event stream, as they come. */
export async function* readStream(response: Response): AsyncGenerator<ReceivedFrame> {
  let rest = "";
  for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + text).split("\n\n");
    rest = blocks.pop()!;
    for (const block of blocks) {
      const id = /^id: (.*)$/m.exec(block)?.[1];
      const data = JSON.parse(/^data: (.*)$/m.exec(block)![1]!) as Record<string, unknown>;
      yield id === undefined ? { data } : { id, data };
    }
  }
}

/** The next frames of a stream; fewer when it ends. */
export async function take(
  frames: AsyncGenerator<ReceivedFrame>,
  count: number,
): Promise<ReceivedFrame[]> {
  const taken: ReceivedFrame[] = [];
  while (taken.length < count) {
    const next = await frames.next();
    if (next.done) break;
    taken.push(next.value);
  }
  return taken;
}
