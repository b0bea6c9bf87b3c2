import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { build, preview } from "vite";

const EXAMPLES = fileURLToPath(new URL("../../../examples/embed", import.meta.url));
/** The default gateway address of the examples. */
const DEFAULT_GATEWAY = "http://127.0.0.1:4870";

/** An embedding page at its own origin. */
export interface EmbeddingPage extends AsyncDisposable {
  readonly url: string;
  /** The same files at another origin. */
  serveElsewhere(): Promise<string>;
  /** Builds the page, for a gateway at another address than its default. */
  build(gatewayUrl?: string): Promise<void>;
}

/**
 * Serves an example with Vite, from a folder that stays empty until the build, so that its origin is known before its
 * gateway.
 */
export async function openEmbeddingPage(example: string): Promise<EmbeddingPage> {
  await using opening = new AsyncDisposableStack();
  const root = join(EXAMPLES, example);
  const outDir = await mkdtemp(join(tmpdir(), "holdpoint-embed-"));
  opening.defer(() => rm(outDir, { recursive: true, force: true }));
  const serve = async (owner: AsyncDisposableStack): Promise<string> => {
    const server = await preview({
      root,
      logLevel: "error",
      build: { outDir },
      preview: { host: "127.0.0.1", port: 0 },
    });
    owner.defer(() => server.close());
    const address = server.httpServer.address();
    if (address === null || typeof address === "string") throw new Error("It has no port.");
    return `http://127.0.0.1:${address.port}`;
  };
  const url = await serve(opening);
  const open = opening.move();
  return {
    url,
    serveElsewhere: () => serve(open),
    async build(gatewayUrl = DEFAULT_GATEWAY) {
      await build({
        root,
        logLevel: "error",
        build: { outDir, emptyOutDir: true },
        plugins: [
          {
            name: "another-gateway",
            transformIndexHtml: (html) => html.replaceAll(DEFAULT_GATEWAY, gatewayUrl),
          },
        ],
      });
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}
