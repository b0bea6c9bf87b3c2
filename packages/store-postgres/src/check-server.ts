import { StoreError } from "@holdpoint/engine";
import type pg from "pg";

/** The oldest supported version of Postgres. */
const MIN_VERSION = 15;

/** The relevant settings of a server. */
export interface ServerSettings {
  /** For example, `18.4`. */
  readonly version: string;
  readonly versionNumber: number;
  readonly encoding: string;
  readonly fsync: string;
  readonly fullPageWrites: string;
  readonly synchronousCommit: string;
  readonly isStandby: boolean;
  /** The server's process id for this connection. */
  readonly backend: number;
}

export async function readServerSettings(client: pg.ClientBase): Promise<ServerSettings> {
  const { rows } = await client.query<ServerSettings>(`
    SELECT current_setting('server_version') AS version,
      current_setting('server_version_num')::integer AS "versionNumber",
      current_setting('server_encoding') AS encoding, current_setting('fsync') AS fsync,
      current_setting('full_page_writes') AS "fullPageWrites",
      current_setting('synchronous_commit') AS "synchronousCommit",
      pg_is_in_recovery() AS "isStandby", pg_backend_pid() AS backend`);
  const [settings] = rows;
  if (!settings) throw new StoreError("STORE_FAILED", "The server does not report its settings.");
  return settings;
}

/** Returns why an acknowledged answer could be lost or its text altered, with advice; `undefined` if it could not. */
export function findServerProblem(settings: ServerSettings): string | undefined {
  const { version, versionNumber, encoding, isStandby } = settings;
  if (versionNumber < MIN_VERSION * 10_000) {
    return `Its Postgres is ${version}; ${MIN_VERSION} or newer is needed. Upgrade the server.`;
  }
  if (encoding !== "UTF8") {
    return `Its encoding is ${encoding}; UTF8 is needed. Make it with \`createdb --encoding=UTF8 --template=template0\`.`;
  }
  if (isStandby) return "It is a read-only standby. Name the primary server.";
  const off = findOff(settings);
  if (off === undefined) return undefined;
  return `Its setting ${off} is off, so answers that were taken could be lost. Run \`ALTER SYSTEM SET ${off} = on\` and \`SELECT pg_reload_conf()\`; look also at ALTER ROLE and ALTER DATABASE.`;
}

function findOff({ fsync, fullPageWrites, synchronousCommit }: ServerSettings): string | undefined {
  if (synchronousCommit === "off") return "synchronous_commit";
  if (fsync === "off") return "fsync";
  return fullPageWrites === "off" ? "full_page_writes" : undefined;
}
