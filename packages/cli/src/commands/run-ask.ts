import { ClientError, settleAsk } from "@holdpoint/client";
import {
  type Ask,
  type ErrorCode,
  errorFactsOf,
  ProtocolError,
  toMarkedString,
} from "@holdpoint/protocol";

import { UsageError } from "../usage-error.ts";
import { ASK_HELP } from "./ask-help.ts";
import { openAskPlace } from "./ask-place.ts";
import { type AskCommand, CHOICE, parseAsk } from "./parse-ask.ts";

/** Only 0 means yes. */
const EXIT = { answered: 0, no: 1, usage: 2, nobody: 3, noGateway: 4, interrupted: 130 } as const;
/** A gateway that is just starting is reachable within this time. */
const PATIENCE_MS = 2000;

/** Runs `holdpoint ask`. Resolves with the exit code; never rejects. */
export async function runAsk(args: readonly string[]): Promise<number> {
  const stop = new AbortController();
  const onSignal = (): void => stop.abort();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, onSignal);
  try {
    const command = parseAsk(args);
    if (command.body !== undefined) return await ask(command, command.body, stop.signal);
    process.stdout.write(ASK_HELP);
    return EXIT.answered;
  } catch (error: unknown) {
    if (stop.signal.aborted) {
      say("The ask was taken back.");
      return EXIT.interrupted;
    }
    say(toReason(error));
    return toExitCode(error);
  }
}

/** The exit code of an ask that failed, or whose outcome could not be learnt. */
export function toExitCode(error: unknown): number {
  const isGone = ProtocolError.isInstance(error) && isPassingFailure(error.code);
  return isGone || ClientError.isInstance(error) ? EXIT.noGateway : EXIT.usage;
}

/** Whether an error means that the gateway is unavailable for now: it is stopping, or its store accepts nothing. */
function isPassingFailure(code: ErrorCode): boolean {
  const { status, retryable = false } = errorFactsOf(code);
  return retryable && status >= 500;
}

async function ask(
  { flags }: AskCommand,
  body: NonNullable<AskCommand["body"]>,
  signal: AbortSignal,
): Promise<number> {
  let isTold = false;
  const ended = await settleAsk(openAskPlace(flags, process.env), body, {
    signal,
    patienceMs: PATIENCE_MS,
    onAsked: ({ cardUrl, status }) => {
      if (status === "pending") say(`Waiting for an answer at ${cardUrl}`);
    },
    onComment: ({ text, by, program }) => {
      if (!program) say(`${by.person} writes: ${text}`);
    },
    onTrouble: () => {
      if (!isTold) say("The gateway does not answer; trying again.");
      isTold = true;
    },
  });
  const output = flags.json ? JSON.stringify(ended) : toOutput(flags, ended);
  if (output !== undefined) process.stdout.write(`${output}\n`);
  return codeOf(ended);
}

function codeOf({ response, closedReason, status }: Ask): number {
  switch (response?.action) {
    case "approve":
    case "submit":
      return EXIT.answered;
    case "deny":
    case "cancel":
      return EXIT.no;
    case undefined:
      say(closedReason ?? `The ask is ${status}.`);
      return EXIT.nobody;
  }
}

/** The answer in one line; `undefined` if there is none. */
function toOutput({ choose }: AskCommand["flags"], { response }: Ask): string | undefined {
  switch (response?.action) {
    case "approve":
      return "yes";
    case "deny":
    case "cancel":
      if (response.reason !== undefined) say(response.reason);
      return "no";
    case "submit":
      return choose === undefined
        ? JSON.stringify(response.values)
        : String(response.values?.[CHOICE]);
    case undefined:
      return undefined;
  }
}

function toReason(error: unknown): string {
  if (ProtocolError.isInstance(error) && error.code === "UNAUTHENTICATED") {
    return "The gateway does not know this token. It may be revoked: remove ask.token from its data folder to get another.";
  }
  if (error instanceof UsageError || ProtocolError.isInstance(error)) return error.message;
  if (ClientError.isInstance(error)) return `The gateway cannot be reached. ${error.message}`;
  return String(error);
}

/**
 * Writes to standard error with a prefix on each line, so that a person's text cannot pass for another program's line.
 */
function say(text: string): void {
  for (const line of text.split(/\r\n|\r|\n/u)) {
    process.stderr.write(`holdpoint: ${toMarkedString(line, "exact")}\n`);
  }
}
