import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { StartOptions } from "../../support/gateway-process.ts";
import { openLine } from "./line.ts";
import { test as base } from "./test.ts";

/** Browser errors while the gateway is unreachable. */
export const NETWORK_TROUBLE = /net::ERR_|WebSocket connection to .* failed/;

/** A test with gateways that can be cut off from their pages, or killed and started again at the same address. */
export const test = base
  .extend("line", async ({ owned }) => owned.use(await openLine()))
  /** A gateway that pages reach over the line; the test itself reaches it directly. */
  .extend(
    "startBehindLine",
    async ({ line, startGateway }) =>
      async (options: StartOptions = {}) => {
        const gateway = await startGateway({
          ...options,
          env: { ...options.env, HOLDPOINT_PUBLIC_URL: line.url },
        });
        line.connectTo(Number(new URL(gateway.url).port));
        return { ...gateway, viaLine: { url: line.url, nextLink: () => gateway.nextLink() } };
      },
  )
  .extend("dataDir", async ({ owned }) => {
    const dataDir = await mkdtemp(join(tmpdir(), "holdpoint-network-"));
    owned.defer(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }));
    return dataDir;
  });
