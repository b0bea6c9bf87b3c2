import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { Client } from "pg";
import { onTestFinished } from "vitest";

import { connect } from "../connect.ts";
import { migrate } from "../migrate.ts";
import { MIGRATIONS } from "../migrations/index.ts";
import { startedServer } from "./postgres-server.ts";

const TEMPLATE = "holdpoint_template";
let created = 0;

/** A new database with the current schema; `empty`: without a schema. Returns its address. */
export async function createDatabase({ empty = false } = {}): Promise<string> {
  const server = await startedServer();
  created += 1;
  const name = `test_${process.pid}_${created}_${process.hrtime.bigint()}`;
  await runOn(server, async (client) => {
    if (!empty) await makeTemplate(client, server);
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${empty ? "template0" : TEMPLATE}`);
  });
  return withDatabase(server, name);
}

export function withDatabase(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}

/** Created once, by the first caller. */
async function makeTemplate(client: Client, server: string): Promise<void> {
  await client.query("SELECT pg_advisory_lock(1)");
  try {
    const { rows } = await client.query("SELECT 1 FROM pg_database WHERE datname = $1", [TEMPLATE]);
    if (rows.length > 0) return;
    await client.query("CREATE DATABASE template_in_making TEMPLATE template0");
    const inside = await connect(withDatabase(server, "template_in_making"), "template");
    await migrate(inside, MIGRATIONS, "template");
    await inside.end();
    await client.query(`ALTER DATABASE template_in_making RENAME TO ${TEMPLATE}`);
  } finally {
    await client.query("SELECT pg_advisory_unlock(1)");
  }
}

/** Runs some statements on a separate connection. */
export async function runOn<T>(url: string, run: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}

/** Resets it to an empty database. No gateway may be using it. */
export async function emptyDatabase(url: string): Promise<void> {
  await runOn(url, (client) =>
    client.query(`
      SET search_path = holdpoint;
      DELETE FROM sessions; DELETE FROM events; DELETE FROM grants; DELETE FROM credentials;
      DELETE FROM notification_subscriptions; DELETE FROM notification_deliveries;
      DELETE FROM ask_callbacks;
      UPDATE history SET epoch = 'new', owner = '', generation = 0, results = '[]'`),
  );
}

/** A new folder that is removed after the running test. */
export function createTemporaryDir(): string {
  const path = mkdtempSync(join(tmpdir(), "holdpoint-postgres-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
