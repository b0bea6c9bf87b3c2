import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A collector on loopback. It answers with the given statuses, one after the other, and then with 200. */
export async function openCollector(statuses: number[] = []) {
  const bodies: { readonly path: string; readonly body: string }[] = [];
  const server = createServer((incoming, outgoing) => {
    void text(incoming).then((body) => {
      bodies.push({ path: incoming.url ?? "", body });
      outgoing.writeHead(statuses.shift() ?? 200, { location: "/elsewhere" }).end("{}");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    bodies,
    url: `http://127.0.0.1:${port}/`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
