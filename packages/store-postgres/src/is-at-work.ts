import type { Clock } from "@holdpoint/engine";
import type { Client } from "pg";

import type { ServerSettings } from "./check-server.ts";
import { connect, endAtOnce } from "./connect.ts";

const ANSWER_LIMIT_MS = 10_000;
const AT_WORK = `
  SELECT 1 FROM pg_stat_activity
  WHERE pid = $1 AND application_name = $2 AND state IS DISTINCT FROM 'idle'`;

/** A connection as known to its server. */
export interface ServedConnection extends Pick<ServerSettings, "backend"> {
  readonly url: string;
  /** Its unique application name. */
  readonly name: string;
  readonly clock: Clock;
}

/**
 * Asks the server on another connection whether it is working for a connection. True when it does not answer. Never
 * rejects.
 */
export async function isAtWork({ url, name, backend, clock }: ServedConnection): Promise<boolean> {
  let other: Client | undefined;
  using _ = clock.after(ANSWER_LIMIT_MS, () => other && endAtOnce(other));
  try {
    other = await connect(url, `holdpoint-look ${process.pid}`);
    const { rows } = await other.query(AT_WORK, [backend, name]);
    return rows.length > 0;
  } catch {
    return true;
  } finally {
    if (other) endAtOnce(other);
  }
}
