import { type Clock, StoreError } from "@holdpoint/engine";
import type { Client } from "pg";

import { showAddress } from "./address.ts";
import { connect } from "./connect.ts";
import { storeFailed } from "./database-error.ts";
import { migrate, readVersion } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import { openWriterConnection } from "./writer-connection.ts";
import { seal, unseal } from "./seal.ts";

/** The first schema that knows of several nodes. */
const FIRST_VERSION = 6;

export interface JoinNodesOptions {
  readonly url: string;
  readonly clock: Clock;
  /** 32 bytes of all nodes, with which their keys are sealed in the database. */
  readonly key: Uint8Array;
  /** What this node would sign with, by name. */
  readonly own: Readonly<Record<string, Uint8Array>>;
}

/**
 * Makes a database ready for several nodes, and gives the keys that all of them sign with: those of the first one that came.
 * Rejects with `StoreError`, also where the others have another key of 32 bytes.
 */
export async function joinNodes(options: JoinNodesOptions): Promise<Record<string, Buffer>> {
  const { url, own, key } = options;
  await makeReady(options);
  const client = await connect(url, `holdpoint-join ${process.pid}`);
  try {
    for (const [name, bytes] of Object.entries(own)) {
      await client.query(
        "INSERT INTO node_keys (name, sealed) VALUES ($1, $2) ON CONFLICT DO NOTHING",
        [name, seal(key, bytes)],
      );
    }
    const { rows } = await client.query<{ name: string; sealed: string }>(
      "SELECT name, sealed FROM node_keys WHERE name = ANY($1)",
      [Object.keys(own)],
    );
    return Object.fromEntries(
      rows.map(({ name, sealed }) => [name, unseal(key, sealed) ?? refuse(url)]),
    );
  } catch (error: unknown) {
    if (StoreError.isInstance(error)) throw error;
    throw storeFailed(`Joining the nodes of ${showAddress(url)}`, error);
  } finally {
    await client.end();
  }
}

/** A newer schema of nodes that work is left as it is: the next one that takes the lease brings it up to date. */
async function makeReady({ url, clock }: JoinNodesOptions): Promise<void> {
  const address = showAddress(url);
  const found = await onConnection(url, readVersion);
  if (found !== undefined && found > MIGRATIONS.length) {
    throw new StoreError(
      "STORE_FAILED",
      `The database ${address} was written by a newer release (schema ${found}, this one knows up to ${MIGRATIONS.length}). Use that release.`,
    );
  }
  if (found !== undefined && found >= FIRST_VERSION) return;
  const name = `holdpoint ${process.pid} joining`;
  const { signal } = new AbortController();
  const connection = await openWriterConnection({ url, name, clock, signal });
  try {
    await migrate(connection.client, MIGRATIONS, address);
  } finally {
    await connection.close();
  }
}

async function onConnection<T>(url: string, run: (client: Client) => Promise<T>): Promise<T> {
  const client = await connect(url, `holdpoint-join ${process.pid}`);
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}

function refuse(url: string): never {
  throw new StoreError(
    "STORE_FAILED",
    `The cluster secret is not the one that other nodes of ${showAddress(url)} have. Give every node the same.`,
  );
}
