import type { RequestListener } from "node:http";

import { createSystemClock } from "@holdpoint/engine";

import { Front } from "../http/front.ts";
import { TrustedProxies } from "../http/trusted-proxies.ts";
import { probesFor } from "../metrics/metrics-access.ts";
import { Forwarder } from "../nodes/forwarder.ts";
import { type NodeHandlers, NodeListener } from "../nodes/node-listener.ts";
import { createStandby } from "../nodes/standby.ts";
import { NO_FILES, type StaticFiles } from "../static/static-files.ts";

export const LINK_KEY = Buffer.alloc(32, 3);
export const FENCE = 7;
const SILENT = { info: ignore, warn: ignore, error: ignore };
const AT = { host: "127.0.0.1", port: 0 } as const;

export interface StandbyNode extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly front: Front;
  readonly forwarder: Forwarder;
}

/** A standby node that regards the node with this door as the working one. */
export async function openStandbyNode(
  door: Pick<NodeListener, "address"> | undefined,
  options: {
    fence?: number;
    key?: Uint8Array;
    files?: StaticFiles;
    trustProxy?: string[];
    publicUrl?: URL;
  } = {},
): Promise<StandbyNode> {
  const { fence = FENCE, key = LINK_KEY, files = NO_FILES, publicUrl } = options;
  const clock = createSystemClock();
  const proxies = new TrustedProxies(options.trustProxy);
  const shared = { proxies, clock, log: SILENT };
  const front = await Front.open({ ...AT, ...shared, publicUrl, probes: probesFor("token") });
  const forwarder = new Forwarder({ key, clock, pageUrls: front.allowed.pageUrls });
  forwarder.pointTo(door && { address: door.address, fence });
  const hasOwnPage = (): boolean => files !== NO_FILES;
  front.use(createStandby({ ...shared, front, forwarder, files, hasOwnPage }));
  return {
    url: front.url,
    port: front.port,
    front,
    forwarder,
    async [Symbol.asyncDispose]() {
      forwarder.close();
      await front.close();
    },
  };
}

/** The door of a working node, with a listener of the test behind it. */
export async function openDoor(request?: RequestListener): Promise<NodeListener & AsyncDisposable> {
  const door = await NodeListener.open({ ...AT, key: LINK_KEY, log: SILENT });
  const handlers: NodeHandlers | undefined = request && {
    fence: FENCE,
    request,
    accepts: () => false,
    upgrade: (_incoming, stream) => void stream.destroy(),
    onPageUrls: ignore,
  };
  door.use(handlers);
  return Object.assign(door, { [Symbol.asyncDispose]: () => door.close() });
}

/** The front of a working node. */
export function openWorkingFront(publicUrl?: URL): Promise<Front> {
  const clock = createSystemClock();
  const proxies = new TrustedProxies();
  const shared = { proxies, clock, log: SILENT, publicUrl };
  return Front.open({ ...AT, ...shared, probes: probesFor("token") });
}

function ignore(): void {}
