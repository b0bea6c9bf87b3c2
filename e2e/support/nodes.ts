import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";

import {
  checkPostgresStore,
  type PostgresReport,
} from "../../packages/store-postgres/src/index.ts";
import { createDatabase } from "../../packages/store-postgres/src/testing/test-database.ts";
import { until } from "./api.ts";
import { type GatewayProcess, startGateway, type StartOptions } from "./gateway-process.ts";

export const CLUSTER_SECRET = "of-the-nodes-of-this-test-0123456789";

export interface Nodes extends AsyncDisposable {
  /** The address of the balancer: each request goes to the next node, whatever its state. */
  readonly url: string;
  /** The number of requests of each node. */
  readonly counts: readonly number[];
  /** Deleted with the nodes. */
  readonly folder: string;
  /** The report of their database, including the node that has the lease. */
  report(): Promise<PostgresReport>;
  /** Starts one more node, with a separate data folder. */
  start(name: string, options?: Pick<StartOptions, "program">): Promise<GatewayProcess>;
}

/** Several nodes on one database, behind a load balancer without stickiness. */
export async function openNodes(): Promise<Nodes> {
  await using opening = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "holdpoint-nodes-"));
  opening.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const secretFile = join(folder, "cluster.secret");
  await writeFile(secretFile, CLUSTER_SECRET, { mode: 0o600 });
  const store = await createDatabase({ empty: true });
  const balancer = opening.use(await openRoundRobin());
  const open = opening.move();
  return {
    url: balancer.url,
    counts: balancer.counts,
    folder,
    report: () => checkPostgresStore(store),
    async start(name, { program } = {}) {
      const gateway = await startGateway({
        ...(program !== undefined && { program }),
        dataDir: join(folder, name),
        args: ["--public-url", balancer.url],
        env: {
          HOLDPOINT_STORE: store,
          // Uses both ways to pass the secret.
          ...(balancer.counts.length === 0
            ? { HOLDPOINT_CLUSTER_SECRET: CLUSTER_SECRET }
            : { HOLDPOINT_CLUSTER_SECRET_FILE: secretFile }),
        },
      });
      open.use(gateway);
      balancer.add(gateway.url);
      return gateway;
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

/** The role of a node; `undefined` while it does not answer. */
export async function roleOf({ url }: { readonly url: string }): Promise<string | undefined> {
  const answer = await fetch(`${url}/readyz`).catch(() => undefined);
  if (!answer?.ok) return undefined;
  return ((await answer.json()) as { role?: string }).role;
}

export function untilRole(node: GatewayProcess, role: string): Promise<unknown> {
  return until(async () => (await roleOf(node).catch(() => undefined)) === role, `a ${role} node`);
}

interface RoundRobin extends AsyncDisposable {
  readonly url: string;
  readonly counts: readonly number[];
  add(url: string): void;
}

/** Forwards each request to the next node, and to the one after it when nothing listens, as balancers do. */
async function openRoundRobin(): Promise<RoundRobin> {
  const ports: number[] = [];
  const counts: number[] = [];
  let turn = 0;
  const server = createServer((incoming, outgoing) => {
    turn += 1;
    const first = turn;
    const pass = (body: Buffer, tries: number): void => {
      const index = (first + tries) % ports.length;
      counts[index] = (counts[index] ?? 0) + 1;
      const { method, url: path, headers } = incoming;
      const to = { host: "127.0.0.1", port: ports[index], agent: false } as const;
      const far = request({ ...to, method, path, headers });
      far.on("error", (error) => {
        const isRefused = "code" in error && error.code === "ECONNREFUSED";
        if (isRefused && tries + 1 < ports.length) pass(body, tries + 1);
        else outgoing.destroy();
      });
      far.on("response", (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
        answer.on("error", () => outgoing.destroy());
      });
      outgoing.on("close", () => far.destroy());
      far.end(body);
    };
    buffer(incoming).then(
      (body) => pass(body, 0),
      () => outgoing.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    counts,
    add: (url) => {
      ports.push(Number(new URL(url).port));
      counts.push(0);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}
