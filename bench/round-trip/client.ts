import { Agent, get, request } from "node:http";

export interface AnsweringClient extends Disposable {
  /** Resolves once the streams are open. */
  readonly open: Promise<void>;
}

export interface ClientOptions {
  readonly port: number;
  readonly headers: Record<string, string>;
  readonly streams: readonly string[];
  /** Finds the interactions in one frame and returns how to answer each; `undefined` for every other frame. */
  readonly answer: (frame: string) => { path: string; body: string } | undefined;
}

/** Reads event streams and answers every request at once: the fastest possible person. */
export function startAnsweringClient(options: ClientOptions): AnsweringClient {
  const { port, headers } = options;
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  let disposed = false;
  const streamAgent = new Agent({ maxSockets: Infinity });
  const streams = options.streams.map((path) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const stream = get({ host: "127.0.0.1", port, path, headers, agent: streamAgent });
    stream.on("error", reject);
    stream.on("response", (response) => {
      resolve();
      let rest = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        const frames = (rest + chunk).split("\n\n");
        rest = frames.pop() ?? "";
        for (const frame of frames) {
          const reply = options.answer(frame);
          if (reply) post(reply.path, reply.body);
        }
      });
    });
    return { stream, opened: promise };
  });

  function post(path: string, body: string): void {
    const call = request({
      host: "127.0.0.1",
      port,
      path,
      method: "POST",
      agent,
      headers: {
        ...headers,
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
      },
    });
    call.on("response", (response) => response.resume());
    call.on("error", (error) => {
      if (!disposed) throw error;
    });
    call.end(body);
  }

  return {
    open: Promise.all(streams.map(({ opened }) => opened)).then(() => {}),
    [Symbol.dispose]() {
      disposed = true;
      for (const { stream } of streams) stream.destroy();
      agent.destroy();
    },
  };
}
