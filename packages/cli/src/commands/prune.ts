import { pagesOf } from "@holdpoint/protocol";

import { askGateway } from "../control/ask-gateway.ts";
import type { PrunedSessions } from "../control/control-message.ts";
import { UsageError } from "../usage-error.ts";

export interface PruneCommand {
  readonly dataDir: string;
  readonly json: boolean;
  readonly flags: {
    readonly "dry-run"?: boolean;
    readonly days?: string;
    readonly megabytes?: string;
  };
}

type Sessions = PrunedSessions["sessions"];

/**
 * Makes the running gateway delete sessions that are too old or too large, or list them. Returns the command's output.
 */
export async function prune({ dataDir, json, flags }: PruneCommand): Promise<string> {
  const dryRun = flags["dry-run"] ?? false;
  const request = {
    command: "prune",
    dryRun,
    days: parseAmount("--days", flags.days),
    megabytes: parseAmount("--megabytes", flags.megabytes),
  } as const;
  const sessions: Sessions[number][] = [];
  const read = (start: { readonly cursor?: string }): Promise<PrunedSessions> =>
    askGateway<"prune">(dataDir, { ...request, ...start });
  for await (const page of pagesOf(read)) sessions.push(...page.sessions);
  if (json) return `${JSON.stringify({ dryRun, sessions })}\n`;
  return describe(sessions, dryRun);
}

function describe(sessions: Sessions, dryRun: boolean): string {
  const bytes = sessions.reduce((sum, session) => sum + session.bytes, 0);
  const verb = dryRun ? "would be deleted" : "deleted";
  return [
    ...sessions.map(
      ({ sessionId, updatedAt, bytes: size, because }) =>
        `  ${sessionId}  unchanged since ${updatedAt.slice(0, 10)}  ${inMegabytes(size)}  for its ${because}`,
    ),
    `${sessions.length.toLocaleString("en-US")} sessions ${verb}, ${inMegabytes(bytes)}.`,
    "",
  ].join("\n");
}

function inMegabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

function parseAmount(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const amount = /^\d{1,6}(?:\.\d{1,3})?$/.test(text) ? Number(text) : 0;
  if (amount > 0) return amount;
  throw new UsageError(`${flag} ${text} is not a number above 0.`);
}
