import { type Clock, createSystemClock } from "@holdpoint/engine";
import {
  createStandby,
  Forwarder,
  Front,
  loadStaticFiles,
  NodeListener,
  parsePublicUrl,
  probesFor,
  TrustedProxies,
} from "@holdpoint/server";

import { followTls } from "../network/follow-tls.ts";
import { listenOnPort } from "../network/listen.ts";
import { readTls } from "../network/read-tls.ts";
import { UsageError } from "../usage-error.ts";
import { VERSION } from "../version.ts";
import { Node, type NodeOptions, type Places, type RunningNode } from "./node.ts";

/** Starts a node: it listens at once, and takes the lease if no other node has it. Rejects like `compose`. */
export async function openNode(options: NodeOptions): Promise<RunningNode> {
  const clock = createSystemClock();
  await using opening = new AsyncDisposableStack();
  const places = await openPlaces(options, clock, opening);
  return new Node({ ...options, ...places, clock }, opening.move());
}

async function openPlaces(
  { settings, webRoot, member, log, say }: NodeOptions,
  clock: Clock,
  opening: AsyncDisposableStack,
): Promise<Places> {
  const { tls: tlsFiles, cluster, embedOrigins, trustProxy, metrics } = settings;
  if (!cluster) throw new Error("A node needs the settings of a cluster.");
  const publicUrl = parsePublicUrl(settings.publicUrl);
  const proxies = new TrustedProxies(trustProxy);
  const tls = tlsFiles && (await readTls(tlsFiles));
  const files = await loadStaticFiles(webRoot, publicUrl);
  const shared = { embedOrigins, probes: probesFor(metrics), proxies, clock, log };
  const front = await listenOnPort(settings, ({ host, port }) =>
    Front.open({ host, port, ...shared, tls, publicUrl }),
  );
  opening.defer(() => front.close());
  if (tlsFiles) {
    const onProblem = (problem: string): void => say(`holdpoint: ${problem}`);
    const onChange = (next: { cert: string; key: string }): void => front.replaceTls(next);
    opening.use(await followTls({ files: tlsFiles, clock, onChange, onProblem }));
  }
  const { host, port } = cluster;
  const door = await listenForNodes({ host, port, key: member.linkKey, log });
  opening.defer(() => door.close());
  const { pageUrls } = front.allowed;
  const forwarder = new Forwarder({ key: member.linkKey, clock, pageUrls });
  opening.defer(() => forwarder.close());
  const known: Places["known"] = { working: undefined };
  const hasOwnPage = (): boolean => !known.working || known.working.release === VERSION;
  const standby = createStandby({ front, forwarder, files, hasOwnPage, proxies, log, clock });
  front.use(standby);
  return { front, door, forwarder, standby, known };
}

async function listenForNodes(
  options: Parameters<typeof NodeListener.open>[0],
): Promise<NodeListener> {
  try {
    return await NodeListener.open(options);
  } catch (error: unknown) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    throw new UsageError(
      `Other nodes cannot reach this one at ${options.host}:${options.port} (${code}). Name an address of this machine with --node-address.`,
      { cause: error },
    );
  }
}
