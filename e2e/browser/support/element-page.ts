import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { preview } from "vite";

import { buildElement } from "../../support/build-element.ts";

/**
 * No style or script of this page may reach the element, and its policy forbids everything that the element does not
 * need.
 */
const toPage = (gateway: string) => `<!doctype html>
<html lang="en">
  <head>
    <title>A plain page</title>
    <meta
      http-equiv="content-security-policy"
      content="default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src data:; connect-src ${gateway} ${gateway.replace("http", "ws")}"
    />
    <style>
      button, textarea { display: none !important; }
      * { color: rgb(255 0 0) !important; }
      holdpoint-session { height: 700px; }
    </style>
    <script type="module" src="/element.js"></script>
  </head>
  <body><h1>A plain page</h1><holdpoint-session gateway="${gateway}/"></holdpoint-session></body>
</html>`;

/** A page without a bundler that loads the element's script from its own server. */
export interface ElementPage extends AsyncDisposable {
  readonly url: string;
  write(gatewayUrl: string): Promise<void>;
}

export async function openElementPage(): Promise<ElementPage> {
  await using opening = new AsyncDisposableStack();
  const outDir = await mkdtemp(join(tmpdir(), "holdpoint-element-"));
  opening.defer(() => rm(outDir, { recursive: true, force: true }));
  buildElement(outDir);
  const server = await preview({
    configFile: false,
    logLevel: "error",
    build: { outDir },
    preview: { host: "127.0.0.1", port: 0 },
  });
  opening.defer(() => server.close());
  const address = server.httpServer.address();
  if (address === null || typeof address === "string") throw new Error("It has no port.");
  const open = opening.move();
  return {
    url: `http://127.0.0.1:${address.port}`,
    write: (gatewayUrl) => writeFile(join(outDir, "index.html"), toPage(gatewayUrl)),
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}
