import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  request,
  type RequestOptions,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream";

export const PATH = "/holdpoint";
/** What another site on the same host serves, under every other path. */
export const NEIGHBOUR = "The neighbour's page";

export interface PathProxyOptions {
  /** Strips the path from forwarded requests, as `proxy_pass` with a trailing slash does. */
  readonly strips: boolean;
  /** Some proxies do not forward WebSockets. */
  readonly refusesSockets?: boolean;
  /** Some proxies withhold event streams until they end; this part is forwarded right away. */
  readonly passesOfStreams?: "head" | "nothing";
}

/** One host with a gateway under a path, and something else at its root. */
export interface PathProxy extends AsyncDisposable {
  /** The address of the gateway's page, with its trailing slash. */
  readonly url: string;
  readonly root: string;
  /** Methods and paths of forwarded requests, as the gateway got them; `WS` for WebSockets. */
  readonly passed: readonly string[];
  /** The path serves nothing while the gateway is away. */
  isAway: boolean;
  connectTo(port: number): void;
}

export async function openPathProxy(options: PathProxyOptions): Promise<PathProxy> {
  const { strips, refusesSockets = false } = options;
  const passed: string[] = [];
  let target = 0;
  const toRequest = (incoming: IncomingMessage, method = "GET"): RequestOptions => {
    const path = strips ? (incoming.url ?? "").slice(PATH.length) || "/" : (incoming.url ?? "");
    passed.push(`${method} ${path.split("?", 1)[0] ?? ""}`);
    const { headers } = incoming;
    return { host: "127.0.0.1", port: target, path, method: incoming.method ?? "GET", headers };
  };
  const isOurs = ({ url = "" }: IncomingMessage): boolean => /^[/]holdpoint(?:[/]|$)/u.test(url);
  const server = createServer((incoming, outgoing) => {
    if (!isOurs(incoming)) return answerAsNeighbour(outgoing);
    if (proxy.isAway) return void incoming.socket.destroy();
    const upstream = request(toRequest(incoming, incoming.method), (answer) => {
      const isStream = answer.headers["content-type"]?.startsWith("text/event-stream") ?? false;
      if (isStream && options.passesOfStreams === "nothing") return void answer.resume();
      outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      if (isStream && options.passesOfStreams === "head") {
        outgoing.flushHeaders();
        return void answer.resume();
      }
      pipeline(answer, outgoing, () => undefined);
    });
    upstream.on("error", () => outgoing.destroy());
    outgoing.once("close", () => upstream.destroy());
    incoming.pipe(upstream);
  });
  server.on("upgrade", (incoming, near, head) => {
    near.on("error", () => undefined);
    if (refusesSockets || proxy.isAway || !isOurs(incoming)) return void near.destroy();
    const upstream = request(toRequest(incoming, "WS"));
    upstream.on("error", () => near.destroy());
    upstream.on("upgrade", ({ rawHeaders }, far) => {
      near.write(`HTTP/1.1 101 Switching Protocols\r\n${toLines(rawHeaders)}\r\n`);
      far.write(head);
      pipeline(near, far, () => near.destroy());
      pipeline(far, near, () => far.destroy());
    });
    upstream.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const proxy: PathProxy = {
    url: `${root}${PATH}/`,
    root,
    passed,
    isAway: false,
    connectTo: (port) => void (target = port),
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  return proxy;
}

function answerAsNeighbour(outgoing: ServerResponse): void {
  outgoing.writeHead(200, { "Content-Type": "text/html" });
  outgoing.end(`<!doctype html><link rel="icon" href="data:," /><h1>${NEIGHBOUR}</h1>`);
}

function toLines(raw: readonly string[]): string {
  return raw
    .map((text, index) => (index % 2 === 0 ? `${text}: ${raw[index + 1] ?? ""}\r\n` : ""))
    .join("");
}
