import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/**
 * A network between browser and gateway that can be cut: existing connections break, and no new one gets through. It
 * keeps its port all the time, so that no other program gets it.
 */
export interface Line extends AsyncDisposable {
  readonly url: string;
  /** The port the line leads to, which may change when a gateway is restarted. */
  connectTo(port: number): void;
  /** The time at which the next connection reaches the other end, as `performance.now()`. */
  nextReached(): Promise<number>;
  /** Resolves when data with these words has been sent to the other end. */
  sent(words: string): Promise<void>;
  cut(): void;
  mend(): void;
}

export async function openLine(): Promise<Line> {
  const sockets = new Set<Socket>();
  let target = 0;
  let isCut = false;
  let reached = Promise.withResolvers<number>();
  const awaited = new Map<string, () => void>();
  const server = createServer((near) => {
    if (isCut) return void near.resetAndDestroy();
    const far = connect({ host: "127.0.0.1", port: target });
    far.once("connect", () => {
      reached.resolve(performance.now());
      reached = Promise.withResolvers();
    });
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      // A broken end breaks the other; the error itself does not matter.
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
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const cut = (): void => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connectTo: (next) => void (target = next),
    nextReached: () => reached.promise,
    sent: (words) => new Promise((resolve) => void awaited.set(words, resolve)),
    cut,
    mend: () => void (isCut = false),
    async [Symbol.asyncDispose]() {
      cut();
      const closed = once(server, "close");
      server.close();
      await closed;
    },
  };
}
