import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

/** A network between browser and gateway that can be cut: what runs over it breaks, and nothing new gets through. */
export interface Line extends AsyncDisposable {
  readonly url: string;
  /** Where the line leads to; may change when a gateway is started again. */
  connectTo(port: number): void;
  /** When the next connection has got to the other end, as `performance.now()`. */
  nextReached(): Promise<number>;
  /** When something with these words has gone to the other end. */
  sent(words: string): Promise<void>;
  cut(): Promise<void>;
  mend(): Promise<void>;
}

export async function openLine(): Promise<Line> {
  const sockets = new Set<Socket>();
  let target = 0;
  let reached = Promise.withResolvers<number>();
  const awaited = new Map<string, () => void>();
  const server = createServer((near) => {
    const far = connect({ host: "127.0.0.1", port: target });
    far.once("connect", () => {
      reached.resolve(performance.now());
      reached = Promise.withResolvers();
    });
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      // A broken end breaks the other; nobody else wants to know.
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far).pipe(near);
    near.on("data", (data: Buffer) => {
      for (const [words, resolve] of awaited) if (data.includes(words)) resolve();
    });
  });
  const port = await listen(server, 0);
  const cut = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = once(server, "close");
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    connectTo: (next) => void (target = next),
    nextReached: () => reached.promise,
    sent: (words) => new Promise((resolve) => void awaited.set(words, resolve)),
    cut,
    mend: async () => void (await listen(server, port)),
    [Symbol.asyncDispose]: cut,
  };
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The line has no port.");
  return address.port;
}
