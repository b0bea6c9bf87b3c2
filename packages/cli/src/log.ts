import { GatewayError } from "@holdpoint/engine";
import { toMarkedString } from "@holdpoint/protocol";
import { describeError } from "@holdpoint/server";
import pino, { type DestinationStream, type Logger } from "pino";

export const LOG_FORMATS = ["json", "text"] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

/** Limit on unwritten lines while the disk accepts none. Beyond it, lines are lost. */
const MAX_UNWRITTEN_BYTES = 1024 * 1024;

/**
 * Writes a line for each entry. An error's message is left out, since it may contain an answer, unless the error is the
 * gateway's own. Lines never contain characters that a terminal interprets.
 */
export function createLog(
  { level, format }: { readonly level: string; readonly format: LogFormat },
  destination: DestinationStream = openStandardError(),
): Logger {
  const write = format === "text" ? toTextLine : toMarkedLine;
  return pino(
    { level, serializers: { err: describeSafely }, hooks: { streamWrite: write } },
    destination,
  );
}

/** Standard error. On a full disk the log loses lines, and the gateway continues. */
function openStandardError(): DestinationStream {
  const output = pino.destination({ dest: 2, sync: true, maxLength: MAX_UNWRITTEN_BYTES });
  output.on("error", () => undefined);
  return output;
}

function describeSafely(error: unknown): object {
  const facts = describeError(error);
  return GatewayError.isInstance(error) ? { ...facts, message: error.message } : facts;
}

function toMarkedLine(line: string): string {
  return toMarkedString(line, "exact");
}

interface Entry extends Readonly<Record<string, unknown>> {
  readonly level: number;
  readonly time: number;
  readonly msg?: string;
}

/** Formats an entry for a person: `2026-11-24T10:00:00.000Z WARN  message name=value`. */
function toTextLine(line: string): string {
  const { level, time, msg = "", pid: _, hostname: _host, ...facts } = JSON.parse(line) as Entry;
  const label = (pino.levels.labels[level] ?? String(level)).toUpperCase().padEnd(5);
  const said = Object.entries(facts).map(([name, value]) => `${name}=${toWord(value)}`);
  return `${toMarkedLine([new Date(time).toISOString(), label, msg, ...said].join(" "))}\n`;
}

function toWord(value: unknown): string {
  const isPlain = typeof value === "string" && /^[\w./:@-]+$/.test(value);
  return isPlain ? value : JSON.stringify(value);
}
