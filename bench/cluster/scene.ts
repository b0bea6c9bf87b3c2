import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Transport } from "@holdpoint/client";

import { until } from "../../e2e/support/api.ts";
import { type GatewayProcess, startGateway } from "../../e2e/support/gateway-process.ts";
import { startServer } from "../../packages/store-postgres/src/testing/postgres-server.ts";
import { runOn, withDatabase } from "./database.ts";
import { People } from "./people.ts";

const NODES = 3;
/** The streams of one person, and the open interactions of one person's agents, are limited. */
const PEOPLE = 16;
const SECRET = "secret-of-the-nodes-of-this-bench";
const LOOK_LIMIT_MS = 1000;

/** A machine that runs one node after the other with the same data folder. */
export interface Place {
  readonly name: string;
  /** Absent from the death of a node until the next one listens. */
  node: GatewayProcess | undefined;
}

/** Nodes on a dedicated Postgres, and people who can use them. */
export class ClusterScene implements AsyncDisposable {
  readonly places: readonly Place[] = Array.from({ length: NODES }, (_, index) => ({
    name: `node-${index}`,
    node: undefined,
  }));
  readonly #server: string;
  readonly #folder: string;
  readonly #people: People;
  readonly #starting = new Set<Promise<GatewayProcess>>();

  private constructor(parts: { server: string; folder: string; people: People }) {
    this.#server = parts.server;
    this.#folder = parts.folder;
    this.#people = parts.people;
  }

  static async open(): Promise<ClusterScene> {
    const folder = await mkdtemp(join(tmpdir(), "holdpoint-cluster-"));
    // Under root, the server runs as another user.
    await chmod(folder, 0o755);
    await mkdir(join(folder, "postgres"));
    const server = await startServer(join(folder, "postgres"), String(process.pid));
    const people = await People.open();
    await writeFile(join(folder, "secret"), SECRET, { mode: 0o600 });
    await writeFile(join(folder, "config.json"), JSON.stringify(people.config(PEOPLE)));
    await runOn(server, "CREATE DATABASE nodes");
    return new ClusterScene({ server, folder, people });
  }

  /** The address of a new database on the same server. */
  async createDatabase(name: string): Promise<string> {
    await runOn(this.#server, `CREATE DATABASE ${name}`);
    return withDatabase(this.#server, name);
  }

  /** Starts all nodes, one after the other. The first one works. */
  async startNodes(): Promise<void> {
    for (const place of this.places) await this.start(place);
  }

  async start(place: Place): Promise<void> {
    const starting = startGateway({
      dataDir: join(this.#folder, place.name),
      args: ["--config", join(this.#folder, "config.json")],
      env: {
        HOLDPOINT_STORE: withDatabase(this.#server, "nodes"),
        HOLDPOINT_CLUSTER_SECRET_FILE: join(this.#folder, "secret"),
      },
    });
    this.#starting.add(starting);
    try {
      place.node = await starting;
    } finally {
      this.#starting.delete(starting);
    }
  }

  async kill(place: Place): Promise<void> {
    const { node } = place;
    place.node = undefined;
    await node?.[Symbol.asyncDispose]();
  }

  /** The addresses of the running nodes. */
  get urls(): readonly string[] {
    return this.places.flatMap(({ node }) => node?.url ?? []);
  }

  /** The place of the working node; `undefined` when none works. */
  async findWorking(): Promise<Place | undefined> {
    const roles = await Promise.all(this.places.map(roleOf));
    return this.places[roles.indexOf("working")];
  }

  /** The process id of the lease holder, whether or not it works yet; `undefined` when no node has the lease. */
  async leaseHolder(): Promise<number | undefined> {
    const [row] = await runOn<{ pid: number }>(
      withDatabase(this.#server, "nodes"),
      `SELECT split_part(application_name, ' ', 2)::integer AS pid
       FROM holdpoint.node_lease JOIN pg_stat_activity
         ON application_name LIKE 'holdpoint-lease % ' || node
       WHERE ends_at > clock_timestamp()`,
    );
    return row?.pid;
  }

  /** The address of the working node, once there is one, then the addresses of the others. */
  async urlsInOrder(): Promise<readonly [string, ...string[]]> {
    const working = await until(() => this.findWorking(), "a node that works");
    const url = working.node?.url ?? "";
    return [url, ...this.urls.filter((one) => one !== url)];
  }

  /** Signs in one more person at the working node. */
  async signIn(): Promise<Transport> {
    const [url] = await this.urlsInOrder();
    return this.#people.signIn(url);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled(this.#starting);
    for (const place of this.places) await this.kill(place);
    await this.#people[Symbol.asyncDispose]();
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined);
  }
}

async function roleOf({ node }: Place): Promise<string | undefined> {
  if (!node) return undefined;
  try {
    const signal = AbortSignal.timeout(LOOK_LIMIT_MS);
    const answer = await fetch(`${node.url}/readyz`, { signal });
    return answer.ok ? ((await answer.json()) as { role?: string }).role : undefined;
  } catch {
    return undefined; // it is dead, or does not answer
  }
}
