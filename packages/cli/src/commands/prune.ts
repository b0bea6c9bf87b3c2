import { pagesOf } from "@holdpoint/protocol";

import type { Settings } from "../config/settings.ts";
import { askGateway } from "../control/ask-gateway.ts";
import type { PrunedSessions } from "../control/control-message.ts";

export type PruneCommand = Pick<Settings, "dataDir" | "days" | "dryRun" | "json" | "megabytes">;

type Sessions = PrunedSessions["sessions"];

/**
 * Makes the running gateway delete sessions that are too old or too large, or list them. Returns the command's output.
 */
export async function prune(options: PruneCommand): Promise<string> {
  const { dataDir, json, dryRun, days, megabytes } = options;
  const request = { command: "prune", dryRun, days, megabytes } as const;
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
