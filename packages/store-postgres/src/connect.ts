import { StoreError } from "@holdpoint/engine";
import { Client, type ClientConfig, type QueryConfig, types } from "pg";

import { parseAddress, showAddress } from "./address.ts";
import { codeOf, describeFailure } from "./database-error.ts";
import { withPassword } from "./password-file.ts";

const CONNECT_TIMEOUT_MS = 5000;
const KEEP_ALIVE_DELAY_MS = 10_000;
const INT8 = 20;

/** Parses `int8` values as numbers: none exceeds 2^53. */
const TYPES = {
  getTypeParser: ((oid: number, format?: "text" | "binary") =>
    oid === INT8 && format !== "binary"
      ? Number
      : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
};

/**
 * Settings of each connection. The server's own timeouts would end an idle connection, and a later change of the
 * server's durability must not affect a connection whose durability was checked.
 */
const SESSION_SQL = `
  SET search_path = holdpoint;
  SET idle_session_timeout = 0;
  SET idle_in_transaction_session_timeout = 60000;
  SET statement_timeout = 60000;
  SET lock_timeout = 10000;
  SET default_transaction_isolation = 'read committed';
  SELECT set_config('synchronous_commit', current_setting('synchronous_commit'), false);
`;

/** Settings of a connection that only reads. */
export const READING_SQL = `
  SET search_path = holdpoint;
  SET idle_session_timeout = 0;
  SET statement_timeout = 30000;
  SET default_transaction_read_only = on;
`;

/**
 * Makes the server notice soon when a gateway's machine is gone, and release its lock. Some systems lack some of these
 * settings.
 */
const KEEP_ALIVE_SQL = `
  SET tcp_keepalives_idle = 20;
  SET tcp_keepalives_interval = 5;
  SET tcp_keepalives_count = 4;
  SET tcp_user_timeout = 30000;
`;

export function configOf(url: string, name: string): ClientConfig {
  parseAddress(url);
  return {
    connectionString: withPassword(url),
    application_name: name,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    types: TYPES,
  };
}

/** Connects one client. Rejects with `StoreError`, which contains advice and never the password. */
export async function connect(url: string, name: string): Promise<Client> {
  const client = new Client(configOf(url, name));
  // An idle connection's error is emitted as an event. The next use of the connection reports it.
  client.on("error", () => undefined);
  try {
    await client.connect();
    await ask(client, SESSION_SQL);
    await ask(client, KEEP_ALIVE_SQL).catch((error: unknown) => {
      // A server that refuses these settings sends an error code. Without a code, it has not answered.
      if (codeOf(error) === undefined) throw error;
    });
    return client;
  } catch (error: unknown) {
    await client.end().catch(() => undefined);
    throw connectFailed(url, error);
  }
}

/** Rejects when no answer comes in time. */
function ask(client: Client, text: string): Promise<unknown> {
  const query: QueryConfig & Pick<ClientConfig, "query_timeout"> = {
    text,
    query_timeout: CONNECT_TIMEOUT_MS,
  };
  return client.query(query);
}

/** Destroys the socket: a broken connection would never confirm its end. */
export function endAtOnce(client: Client): void {
  (
    client as unknown as { connection: { stream: { destroy(): void } } }
  ).connection.stream.destroy();
}

export function connectFailed(url: string, error: unknown): StoreError {
  return new StoreError(
    "STORE_FAILED",
    `The database ${showAddress(url)} cannot be used: ${reasonOf(error)}`,
    { cause: new Error(`Postgres: ${describeFailure(error)}`) },
  );
}

const ADVICE: Readonly<Record<string, string>> = {
  "28P01": "user or password is wrong. Check the address of the store.",
  "28000":
    "the server refuses this user or this host. Check the user's name and the server's pg_hba.conf.",
  "3D000": "there is no such database. Make it with `createdb`, or check the address.",
  "42501": "the user has no permission to do this. Make it the owner of the database.",
  ECONNREFUSED: "nothing listens there. Start the server, or check the address.",
  ENOTFOUND: "there is no host of that name. Check the address.",
  ENOENT: "there is no such socket. Start the server, or check the address.",
};

function reasonOf(error: unknown): string {
  const code = codeOf(error);
  if (code !== undefined && code in ADVICE) return ADVICE[code] ?? "";
  if (code === undefined && error instanceof Error) return `${withoutCode(error.message)}.`;
  return `${describeFailure(error)}.`;
}

/** Maps errors of `pg`, which have no code, to texts without values. */
function withoutCode(message: string): string {
  if (/timeout/iu.test(message)) return "no answer in time";
  if (/SSL/u.test(message)) return "the server and the address do not agree on TLS (sslmode)";
  if (/password/iu.test(message)) return "it requires a password, but the address has none";
  return "the connection was lost";
}
