/*
 * What Claude Code 2.1.330 gives its hooks, as its binary did in a pseudo-terminal. `PermissionRequest` comes for each prompt that
 * the terminal shows, for `AskUserQuestion` in every mode, and never where nothing is asked. It names no tool call, as the other
 * events do. Everything here is text of another program: it is shown, compared and stored, and it opens no file.
 */

/** A prompt that a terminal shows. */
export interface TerminalPrompt {
  /** What Claude Code calls its own session. */
  readonly session: string;
  readonly cwd: string;
  readonly toolName: string;
  readonly input: Record<string, unknown>;
  /** Which permissions the runtime would add for an approval that lasts. */
  readonly suggestions: readonly unknown[];
  /** The sub-agent that asks. */
  readonly agentId?: string;
  readonly server?: string;
}

/** What has happened in a terminal. */
export interface TerminalEvent {
  readonly session: string;
  readonly name: string;
  readonly toolName?: string;
  readonly input?: Record<string, unknown>;
  readonly agentId?: string;
}

const MAX_NAME_LENGTH = 256;
const MAX_PATH_LENGTH = 4096;

/** `undefined` for anything that is no such prompt. */
export function readPrompt(body: unknown): TerminalPrompt | undefined {
  const common = readCommon(body);
  if (common?.hook_event_name !== "PermissionRequest") return undefined;
  const { session_id: session, agent_id: agentId, body: fields } = common;
  const { cwd, tool_name: toolName, tool_input: input } = fields;
  if (!isText(cwd, MAX_PATH_LENGTH) || !isText(toolName, MAX_NAME_LENGTH)) return undefined;
  if (!isRecord(input)) return undefined;
  const suggestions = fields["permission_suggestions"];
  const server = isRecord(fields["mcp_server"]) ? fields["mcp_server"]["name"] : undefined;
  return {
    session,
    cwd,
    toolName,
    input,
    suggestions: Array.isArray(suggestions) ? suggestions : [],
    ...(agentId !== undefined && { agentId }),
    ...(isText(server, MAX_NAME_LENGTH) && { server }),
  };
}

/** `undefined` for anything that is no event. */
export function readEvent(body: unknown): TerminalEvent | undefined {
  const common = readCommon(body);
  if (!common) return undefined;
  const { session_id: session, hook_event_name: name, agent_id: agentId, body: fields } = common;
  const { tool_name: toolName, tool_input: input } = fields;
  return {
    session,
    name,
    ...(isText(toolName, MAX_NAME_LENGTH) && { toolName }),
    ...(isRecord(input) && { input }),
    ...(agentId !== undefined && { agentId }),
  };
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

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
