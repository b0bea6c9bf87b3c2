import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A proxy that breaks connections in the middle of a transfer. */
export interface CuttingProxy extends AsyncDisposable {
  readonly url: string;
  /** How many connections it has cut. */
  readonly cuts: number;
  /** Call it before the first connection. */
  leadTo(url: string): void;
  /** Stops cutting connections. */
  heal(): void;
}

/** Each connection is cut after at most a given number of bytes from the server, with a reset or a normal end. */
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
      // Written data is sent before the end, unless the connection is reset.
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
