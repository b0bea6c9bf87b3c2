import type { Clock, Gateway, PruneRule } from "@holdpoint/engine";

import type { ConfigFile } from "../config/config-file.ts";
import type { PruneRequest } from "../control/control-message.ts";
import { UsageError } from "../usage-error.ts";

const FIRST_MS = 10 * 60 * 1000;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Shorter than the command line's timeout. */
const LIMIT_MS = 4000;

export type Retention = NonNullable<ConfigFile["retention"]>;
type Pruned = Awaited<ReturnType<Gateway["prune"]>>;

/** The retention settings as a rule for the engine. */
export function toRule({ days, sessionMegabytes }: Retention): PruneRule {
  return {
    olderThanDays: days,
    largerThanBytes: sessionMegabytes === undefined ? undefined : sessionMegabytes * 1e6,
  };
}

/**
 * Handles a prune request from the command line. An agent may reach the socket, so only the gateway's own settings can
 * delete anything: with other values, the request only lists the sessions.
 */
export async function pruneFor(
  gateway: Pick<Gateway, "prune">,
  retention: Retention | undefined,
  { dryRun, days, megabytes, cursor }: PruneRequest,
): Promise<Pruned> {
  const isTried = days !== undefined || megabytes !== undefined;
  if (isTried && !dryRun) {
    throw new UsageError(
      "Only --dry-run takes other values. Set `retention` in your config file to change what is deleted.",
    );
  }
  const wanted = isTried ? { days, sessionMegabytes: megabytes } : retention;
  if (!wanted) {
    throw new UsageError(
      "No retention is configured: set `retention` in your config file, or try values with --dry-run --days N.",
    );
  }
  return gateway.prune({ ...toRule(wanted), dryRun, cursor, limitMs: LIMIT_MS });
}

/** Deletes sessions that are too old or too large, some minutes after the start and then daily, until disposed. */
export function pruneDaily(options: {
  readonly gateway: Pick<Gateway, "prune">;
  readonly retention: Retention;
  readonly clock: Clock;
  readonly onPruned: (count: number) => void;
  readonly onError: (error: unknown) => void;
}): Disposable {
  const { gateway, retention, clock, onPruned, onError } = options;
  let timer: Disposable;
  let isOver = false;
  const prune = async (): Promise<void> => {
    const rule = toRule(retention);
    const limitMs = Infinity;
    const { sessions } = await gateway.prune({ ...rule, dryRun: false, limitMs });
    if (sessions.length > 0) onPruned(sessions.length);
  };
  const arm = (afterMs: number): void => {
    timer = clock.after(afterMs, () => {
      void prune()
        .catch(onError)
        .finally(() => void (isOver || arm(DAY_MS)));
    });
  };
  arm(FIRST_MS);
  return {
    [Symbol.dispose]() {
      isOver = true;
      timer[Symbol.dispose]();
    },
  };
}
