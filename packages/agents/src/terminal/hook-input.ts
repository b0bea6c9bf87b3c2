/*
 * The input of Claude Code's hooks, as observed with the binary of version 2.1.330 in a pseudo-terminal.
 * `PermissionRequest` comes for each prompt that the terminal shows, for `AskUserQuestion` in every mode, and never if
 * nothing is asked. It has no tool call id; the other events do. `PermissionDenied` comes when the automatic mode's
 * classifier has refused a call or could not judge it, and never for a rule's refusal. All values are another program's
 * text: they are shown, compared and stored, and never used to open a file.
 */
import { isRecord, type TerminalRun } from "@holdpoint/protocol";

import type { TerminalCall } from "./call-marks.ts";
import type { TerminalKind } from "./terminal-kind.ts";

/** A prompt that a terminal shows, or a refusal without a prompt. */
export interface TerminalPrompt extends TerminalCall {
  readonly kind: TerminalKind;
  readonly input: Record<string, unknown>;
  /** The classifier's reason for refusing the call. Absent: the terminal asks. */
  readonly refusal?: string;
  /** The permissions that the runtime would add for a lasting approval. */
  readonly suggestions: readonly unknown[];
  readonly server?: string;
}

export interface TerminalEvent {
  readonly kind: TerminalKind;
  readonly session: string;
  readonly name: string;
  readonly agentId?: string;
  readonly cwd?: string;
  /** The call that has ended. */
  readonly call?: TerminalCall;
  /** How it has run, where the event says that it did. */
  readonly run?: TerminalRun;
}

const MAX_NAME_LENGTH = 256;
const MAX_PATH_LENGTH = 4096;
const MAX_REASON_LENGTH = 2000;

/** `undefined` for a body that is not a prompt or a refusal. */
export function readPrompt(kind: TerminalKind, body: unknown): TerminalPrompt | undefined {
  const common = readCommon(body);
  const call = common && readCallOf(common);
  if (!call) return undefined;
  const { hook_event_name: name, body: fields } = common;
  const isRefusal = name === "PermissionDenied";
  if (!isRefusal && name !== "PermissionRequest") return undefined;
  const suggestions = fields["permission_suggestions"];
  const server = isRecord(fields["mcp_server"]) ? fields["mcp_server"]["name"] : undefined;
  return {
    ...call,
    kind,
    suggestions: Array.isArray(suggestions) ? suggestions : [],
    ...(isRefusal && { refusal: toReason(fields["reason"]) }),
    ...(isText(server, MAX_NAME_LENGTH) && { server }),
  };
}

/** A call that is about to run; `undefined` for anything else. */
export function readCall(body: unknown): TerminalCall | undefined {
  const common = readCommon(body);
  return common?.hook_event_name === "PreToolUse" ? readCallOf(common) : undefined;
}

function readCallOf({
  session_id: session,
  agent_id: agentId,
  body,
}: Common): (TerminalCall & Pick<TerminalPrompt, "input">) | undefined {
  const { cwd, tool_name: toolName, tool_input: input } = body;
  if (!isText(cwd, MAX_PATH_LENGTH) || !isText(toolName, MAX_NAME_LENGTH)) return undefined;
  if (!isRecord(input)) return undefined;
  return { session, cwd, toolName, input, ...(agentId !== undefined && { agentId }) };
}

/** The classifier's reason; empty if there is none. */
function toReason(reason: unknown): string {
  return typeof reason === "string" ? reason.slice(0, MAX_REASON_LENGTH) : "";
}

/** `undefined` for a body that is not an event. */
export function readEvent(kind: TerminalKind, body: unknown): TerminalEvent | undefined {
  const common = readCommon(body);
  if (!common) return undefined;
  const { session_id: session, hook_event_name: name, agent_id: agentId } = common;
  const call = readCallOf(common);
  const { cwd } = common.body;
  return {
    kind,
    session,
    name,
    ...(agentId !== undefined && { agentId }),
    ...(isText(cwd, MAX_PATH_LENGTH) && { cwd }),
    ...(call && { call }),
    ...(call && readRun(common)),
  };
}

const EXIT_CODE = /^Exit code (\d{1,3})\b/;

/** Reads how a call has run. The exit code is in the first words of an error, or in a field of the response. */
function readRun({ hook_event_name: name, body }: Common): { readonly run?: TerminalRun } {
  if (name === "PostToolUse") {
    const exitCode = readExitCode(body["tool_response"]);
    return {
      run: exitCode === undefined ? { isError: false } : { isError: exitCode !== 0, exitCode },
    };
  }
  if (name !== "PostToolUseFailure") return {};
  const [, code] = EXIT_CODE.exec(String(body["error"])) ?? [];
  return { run: { isError: true, ...(code !== undefined && { exitCode: Number(code) }) } };
}

function readExitCode(response: unknown): number | undefined {
  if (!isRecord(response)) return undefined;
  const code = Number(response["exit_code"] ?? response["exitCode"] ?? Number.NaN);
  return Number.isInteger(code) && code >= 0 && code < 1000 ? code : undefined;
}

interface Common {
  readonly session_id: string;
  readonly hook_event_name: string;
  readonly agent_id: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
}

function readCommon(body: unknown): Common | undefined {
  if (!isRecord(body)) return undefined;
  const { session_id, hook_event_name, agent_id } = body;
  if (!isText(session_id, MAX_NAME_LENGTH) || !isText(hook_event_name, MAX_NAME_LENGTH)) {
    return undefined;
  }
  const agentId = isText(agent_id, MAX_NAME_LENGTH) ? agent_id : undefined;
  return { session_id, hook_event_name, agent_id: agentId, body };
}

function isText(value: unknown, maxLength: number): value is string {
  return typeof value === "string" && value !== "" && value.length <= maxLength;
}
