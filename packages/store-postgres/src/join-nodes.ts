import { randomBytes } from "node:crypto";

import { type Clock, StoreError } from "@holdpoint/engine";
import { seal, unseal } from "@holdpoint/store-sqlite/seal";
import type { Client } from "pg";

import { showAddress } from "./address.ts";
import { connect } from "./connect.ts";
import { storeFailed } from "./database-error.ts";
import { migrate, readSchema, refusalOf } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import { openWriterConnection } from "./writer-connection.ts";

export interface JoinNodesOptions<TName extends string = string> {
  readonly url: string;
  readonly clock: Clock;
  /** 32 bytes shared by all nodes, which encrypt their keys in the database. */
  readonly key: Uint8Array;
  /** Returns the keys that this node would sign with, by name. */
  readonly own: () => Promise<Readonly<Record<TName, Uint8Array>>>;
  /** True if this node has no keys yet and would create them. Such keys would invalidate existing sign-ins. */
  readonly isNew: boolean;
}

/**
 * Prepares a database for several nodes, and returns the keys that all nodes sign with. The first node to join provides
 * them. Rejects with `StoreError`, also when the other nodes have a different 32-byte key.
 */
export async function joinNodes<TName extends string>(
  options: JoinNodesOptions<TName>,
): Promise<Record<TName, Buffer>> {
  const { url, key, isNew } = options;
  await makeReady(options);
  const client = await connect(url, `holdpoint-join ${process.pid}`);
  try {
    if (isNew) await refuseUsed(client, url);
    const own = await options.own();
    for (const [name, bytes] of Object.entries<Uint8Array>(own)) {
      await client.query(
        "INSERT INTO node_keys (name, sealed) VALUES ($1, $2) ON CONFLICT DO NOTHING",
        [name, seal(key, bytes).toString("base64url")],
      );
    }
    const { rows } = await client.query<{ name: string; sealed: string }>(
      "SELECT name, sealed FROM node_keys WHERE name = ANY($1)",
      [Object.keys(own)],
    );
    return Object.fromEntries(
      rows.map(({ name, sealed }) => [
        name,
        unseal(key, Buffer.from(sealed, "base64url")) ?? refuse(url),
      ]),
    ) as Record<TName, Buffer>;
  } catch (error: unknown) {
    if (StoreError.isInstance(error)) throw error;
    throw storeFailed(`Joining the nodes of ${showAddress(url)}`, error);
  } finally {
    await client.end();
  }
}

/**
 * Throws when a gateway has used the database but no node has joined. The first node provides the keys, and keys of
 * another data folder would sign everyone out.
 */
async function refuseUsed(client: Client, url: string): Promise<void> {
  const { rows } = await client.query(
    "SELECT 1 FROM credentials WHERE NOT EXISTS (SELECT 1 FROM node_keys) LIMIT 1",
  );
  if (rows.length === 0) return;
  throw new StoreError(
    "STORE_FAILED",
    `A gateway has used the database ${showAddress(url)} with another data folder. Start the node with that folder first: its keys become the keys of all nodes.`,
  );
}

/** Makes the schema if there is none. An existing one is left unchanged: the node that takes the lease migrates it. */
async function makeReady({ url, clock }: Pick<JoinNodesOptions, "clock" | "url">): Promise<void> {
  const address = showAddress(url);
  const found = await onConnection(url, readSchema);
  const refusal = found && refusalOf(found, address);
  if (refusal !== undefined) throw new StoreError("STORE_FAILED", refusal);
  if (found && found.version > 0) return;
  // In containers, other nodes may have the same process id, and a connection with the same name is taken for this
  // node's own.
  const name = `holdpoint ${process.pid} ${randomBytes(8).toString("hex")}`;
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
