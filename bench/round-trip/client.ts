import { Agent, get, request } from "node:http";

export interface AnsweringClient extends Disposable {
  /** Resolves once the stream is open. */
  readonly open: Promise<void>;
}

export interface ClientOptions {
  readonly port: number;
  readonly headers: Record<string, string>;
  readonly streamPath: string;
  /** Finds the interactions in one frame and says how to answer each; `undefined` for every other frame. */
  readonly answer: (frame: string) => { path: string; body: string } | undefined;
}

/** Reads an event stream and answers at once whatever it asks: the fastest person there is. */
export function startAnsweringClient(options: ClientOptions): AnsweringClient {
  const { port, headers } = options;
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const opened = Promise.withResolvers<void>();
  const stream = get({
    host: "127.0.0.1",
    port,
    path: options.streamPath,
    headers,
    agent: new Agent(),
  });
  stream.on("error", opened.reject);
  stream.on("response", (response) => {
    opened.resolve();
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
    call.end(body);
  }

  return {
    open: opened.promise,
    [Symbol.dispose]() {
      stream.destroy();
      agent.destroy();
    },
  };
}
