import { realpath } from "node:fs/promises";

import type { PermissionMode } from "@anthropic-ai/claude-agent-sdk";
import type { Clock, Ids } from "@holdpoint/engine";

import { QUESTION_TOOL } from "./decide-question.ts";
import { findOpenCall, findResultOf, MARKER_TYPE, type OpenCall } from "./open-call.ts";
import { ASKING_MODE } from "./permission-modes.ts";
import { toUuid } from "./to-uuid.ts";
import { isGatewayTool } from "./tool-server.ts";
import { readTranscript, type Transcript } from "./transcript.ts";
import { runtimeIdOf } from "./turn-calls.ts";
import { PLAN_TOOL } from "./wider-scopes.ts";

/** Where a conversation's record is, and the agent's working directory. */
export interface ParkingPlace {
  readonly configDir: string;
  readonly conversationId: string;
  readonly cwd: string;
}

/** The call that a process starts with. */
export interface ResumedCall {
  readonly toolCallId: string;
  /** The mode to start in, in which the runtime asks about this call. */
  readonly mode: PermissionMode;
}

/** A call at which the agent can be started again. */
export interface ResumableCall extends ResumedCall {
  readonly call: OpenCall;
  readonly transcript: Transcript;
}

const RECORD_GRACE_MS = 2000;
const RECORD_POLL_MS = 100;

/** Fields that are equal in all lines of a record. */
const COMMON_FIELDS = "isSidechain userType entrypoint cwd sessionId version gitBranch".split(" ");

/**
 * Finds out whether the agent could be started again at this call: the record ends with the call, the call would run in
 * the directory that was shown, and its tool will be available. Never rejects.
 */
export async function findResumableCall(
  place: ParkingPlace | undefined,
  toolCallId: string,
): Promise<ResumableCall | undefined> {
  const transcript = await readRecord(place);
  if (place === undefined || transcript === undefined) return undefined;
  const call = findOpenCall(transcript.entries, runtimeIdOf(toolCallId));
  if (call === undefined || !isSurelyThere(call.toolName)) return undefined;
  // A new process starts in the session's directory, but an earlier `cd` may have moved this command elsewhere.
  if (!(await isSameDirectory(call.entry["cwd"], place.cwd))) return undefined;
  const mode = call.toolName === PLAN_TOOL ? "plan" : ASKING_MODE;
  return { toolCallId, call, transcript, mode };
}

/** The call's result in the conversation's record. Never rejects. */
export async function findResult(
  place: ParkingPlace | undefined,
  toolCallId: string,
): Promise<"error" | "success" | undefined> {
  const transcript = await readRecord(place);
  return transcript && findResultOf(transcript.entries, runtimeIdOf(toolCallId));
}

async function readRecord(place: ParkingPlace | undefined): Promise<Transcript | undefined> {
  return place && readTranscript(place.configDir, place.conversationId);
}

/** Polls for a while: the runtime records a call a moment after it asks about it. */
export async function untilRecorded(
  isRecorded: () => Promise<boolean>,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<boolean> {
  for (let waitedMs = 0; !signal.aborted; waitedMs += RECORD_POLL_MS) {
    if (await isRecorded()) return true;
    if (waitedMs >= RECORD_GRACE_MS) return false;
    // The loop checks for an abort next.
    await clock.sleep(RECORD_POLL_MS, { signal }).catch(() => undefined);
  }
  return false;
}

/**
 * Marks the call in the record, so that the runtime resumes it. Rejects if the record has changed since it was read.
 */
export async function markCall(
  { call, transcript, mode }: ResumableCall,
  { clock, ids }: { readonly clock: Clock; readonly ids: Ids },
): Promise<void> {
  if (call.isMarked) return;
  const same = COMMON_FIELDS.flatMap((name) =>
    name in call.entry ? [[name, call.entry[name]] as const] : [],
  );
  await transcript.append({
    ...Object.fromEntries(same),
    type: "attachment",
    parentUuid: call.entry["uuid"],
    uuid: toUuid(ids.next("msg")),
    timestamp: new Date(clock.now()).toISOString(),
    attachment: {
      type: MARKER_TYPE,
      toolUseID: call.toolCallId,
      toolName: call.toolName,
      toolInput: call.input,
      hookName: "PreToolUse",
      hookEvent: "PreToolUse",
      permissionMode: mode,
    },
  });
}

/**
 * Whether the tool is certain to be available. Servers from other settings may connect too late, and the runtime then
 * drops the call.
 */
function isSurelyThere(toolName: string): boolean {
  return !toolName.startsWith("mcp__") || isGatewayTool(toolName);
}

/** Whether the runtime always asks about this tool, whatever rules it has. */
export function asksByItself(toolName: string): boolean {
  return toolName === QUESTION_TOOL || toolName === PLAN_TOOL || isGatewayTool(toolName);
}

async function isSameDirectory(there: unknown, cwd: string): Promise<boolean> {
  return there === cwd || there === (await realpath(cwd).catch(() => cwd));
}
