import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A proxy between a store and its database that can cut or stop the traffic. */
export interface CuttingProxy extends AsyncDisposable {
  /** The address of the database through the proxy. */
  readonly url: string;
  /** The address without the proxy. */
  readonly target: string;
  /** The number of times the client has sent something and waited for the answer. */
  readonly roundTrips: () => number;
  /** The next time the client sends this text: forwards it, and cuts the connection before any of the answer. */
  cutAnswerTo(text: string): Promise<void>;
  /** The next connection on which the client sends this text: from then on nothing passes, without any error. */
  freezeAt(text: string): Promise<void>;
  /** Cuts all connections, and accepts no new ones until `open`. */
  close(): void;
  open(): void;
  /** From now on nothing passes, without any error, as on a failing network. */
  freeze(): void;
}

/** A text that a client should send, and its waiter. */
interface Awaited {
  readonly text: string;
  readonly done: () => void;
}

export async function openCuttingProxy(url: string): Promise<CuttingProxy> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  const trips = { count: 0, isAsking: false };
  let isOpen = true;
  let isFrozen = false;
  let cut: Awaited | undefined;
  let freezing: Awaited | undefined;
  const server = createServer((client) => {
    if (!isOpen) return void client.destroy();
    const database = connect(Number(target.port), target.hostname);
    let isCut = false;
    let isFrozenHere = false;
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        if (isFrozen) return;
        client.destroy();
        database.destroy();
      });
    }
    client.on("data", (chunk: Buffer) => {
      if (freezing && chunk.includes(freezing.text)) {
        isFrozenHere = true;
        freezing.done();
        freezing = undefined;
      }
      if (isFrozen || isFrozenHere) return;
      if (!trips.isAsking) trips.count += 1;
      trips.isAsking = true;
      if (cut && chunk.includes(cut.text)) {
        isCut = true;
        cut.done();
        cut = undefined;
      }
      database.write(chunk);
    });
    database.on("data", (chunk: Buffer) => {
      if (isFrozen || isFrozenHere) return;
      trips.isAsking = false;
      // The answer has arrived, so the data is committed.
      if (isCut) client.destroy();
      else client.write(chunk);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const proxied = new URL(url);
  proxied.port = String(typeof address === "object" && address ? address.port : 0);
  const cutAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: proxied.href,
    target: url,
    roundTrips: () => trips.count,
    cutAnswerTo(text) {
      const { promise, resolve } = Promise.withResolvers<void>();
      cut = { text, done: resolve };
      return promise;
    },
    freezeAt(text) {
      const { promise, resolve } = Promise.withResolvers<void>();
      freezing = { text, done: resolve };
      return promise;
    },
    close() {
      isOpen = false;
      cutAll();
    },
    open() {
      isOpen = true;
      isFrozen = false;
    },
    freeze() {
      isFrozen = true;
    },
    async [Symbol.asyncDispose]() {
      cutAll();
      server.close();
      await once(server, "close");
    },
  };
}
