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

/** Where the record of a conversation is, and where its agent works. */
export interface ParkingPlace {
  readonly configDir: string;
  readonly conversationId: string;
  readonly cwd: string;
}

/** The call that a process begins with. */
export interface ResumedCall {
  readonly toolCallId: string;
  /** The mode to start in: one in which this call is asked about. */
  readonly mode: PermissionMode;
}

/** A call at which the agent can be started again. */
export interface ResumableCall extends ResumedCall {
  readonly call: OpenCall;
  readonly transcript: Transcript;
}

const RECORD_GRACE_MS = 2000;
const RECORD_POLL_MS = 100;

/** What is the same in all lines of a record. */
const COMMON_FIELDS = "isSidechain userType entrypoint cwd sessionId version gitBranch".split(" ");

/**
 * Finds out whether the agent could be started again at this call: the conversation's record ends with it, it would run
 * where it was asked about, and its tool will be there. Never rejects.
 */
export async function findResumableCall(
  place: ParkingPlace | undefined,
  toolCallId: string,
): Promise<ResumableCall | undefined> {
  const transcript = await readRecord(place);
  if (place === undefined || transcript === undefined) return undefined;
  const call = findOpenCall(transcript.entries, runtimeIdOf(toolCallId));
  if (call === undefined || !isSurelyThere(call.toolName)) return undefined;
  // A new process begins in the session's directory; this command was to run where a `cd` has led.
  if (!(await isSameDirectory(call.entry["cwd"], place.cwd))) return undefined;
  const mode = call.toolName === PLAN_TOOL ? "plan" : ASKING_MODE;
  return { toolCallId, call, transcript, mode };
}

/** The result of this call in the conversation's record. Never rejects. */
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

/** Asks again for a while: the runtime writes its record of a call a moment after it has asked about it. */
export async function untilRecorded(
  isRecorded: () => Promise<boolean>,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<boolean> {
  for (let waitedMs = 0; !signal.aborted; waitedMs += RECORD_POLL_MS) {
    if (await isRecorded()) return true;
    if (waitedMs >= RECORD_GRACE_MS) return false;
    // Whether it was aborted is looked at next.
    await clock.sleep(RECORD_POLL_MS, { signal }).catch(() => undefined);
  }
  return false;
}

/** Marks the call in the record, so that the runtime resumes it. Rejects if the record has changed since it was read. */
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

/** Servers that other settings name may connect too late: the runtime then drops the call. */
function isSurelyThere(toolName: string): boolean {
  return !toolName.startsWith("mcp__") || isGatewayTool(toolName);
}

/** Whether the runtime asks about this tool by itself, whatever rules it has. */
export function asksByItself(toolName: string): boolean {
  return toolName === QUESTION_TOOL || toolName === PLAN_TOOL || isGatewayTool(toolName);
}

async function isSameDirectory(there: unknown, cwd: string): Promise<boolean> {
  return there === cwd || there === (await realpath(cwd).catch(() => cwd));
}
