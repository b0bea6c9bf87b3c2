import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A way to a server that breaks off in the middle of what it carries. */
export interface CuttingProxy extends AsyncDisposable {
  readonly url: string;
  /** How many connections it has cut. */
  readonly cuts: number;
  /** To be called before the first connection. */
  leadTo(url: string): void;
  /** From now on it carries everything to its end. */
  heal(): void;
}

/** Each connection is cut after at most so many bytes from the server, with a reset or an ordinary end. */
export async function openCuttingProxy(options: {
  readonly mostBytes: number;
  readonly random: () => number;
}): Promise<CuttingProxy> {
  const { mostBytes, random } = options;
  const sockets = new Set<Socket>();
  let target = new URL("http://127.0.0.1");
  let isHealed = false;
  let cuts = 0;

  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    let bytesLeft = isHealed ? Infinity : Math.floor(random() * mostBytes);
    const end = (): void => {
      if (random() < 0.5) near.resetAndDestroy();
      else near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", end);
      socket.on("close", () => {
        sockets.delete(socket);
        end();
      });
    }
    near.on("data", (bytes: Buffer) => far.write(bytes));
    far.on("data", (bytes: Buffer) => {
      if (isHealed) bytesLeft = Infinity;
      near.write(bytes.subarray(0, bytesLeft));
      bytesLeft -= bytes.length;
      if (bytesLeft > 0 || near.destroyed) return;
      cuts += 1;
      // What was written goes out before the end, unless it is a reset.
      if (random() < 0.5) near.end(() => end());
      else end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get cuts() {
      return cuts;
    },
    leadTo(url) {
      target = new URL(url);
    },
    heal() {
      isHealed = true;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
