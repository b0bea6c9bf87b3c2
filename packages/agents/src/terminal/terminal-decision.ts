import { isDeepStrictEqual } from "node:util";

import type { PermissionResult } from "@anthropic-ai/claude-agent-sdk";
import type {
  ApprovalRequest,
  PersonResponse,
  QuestionInput,
  QuestionRequest,
} from "@holdpoint/engine";

import { toAnsweredInput, toQuestions } from "../claude/ask-user-question.ts";
import { PREVIEW_FORMAT, QUESTION_TOOL } from "../claude/decide-question.ts";
import { denyAsSaid, denyChanged } from "../claude/denials.ts";
import { findFileChange, isAsShown } from "../claude/file-change.ts";
import type { TerminalPrompt } from "./hook-input.ts";
import { TERMINALS } from "./terminal-kind.ts";
import { terminalScopes } from "./terminal-scopes.ts";

/** What a person is asked for a terminal, and what the terminal gets for each response. */
export interface TerminalQuestion {
  readonly request: ApprovalRequest | QuestionRequest;
  toDecision(response: PersonResponse): Promise<PermissionResult>;
}

/** A terminal waits as long as its own prompt is open, and takes no answer after that. */
const WAITING = { timeoutMs: Infinity, onTimeoutPolicy: "deny" } as const;
/**
 * A refused call holds its agent up, which is not asked in its terminal at all. So it waits for a person for some time only; then
 * it stays refused.
 */
const REFUSAL_MS = 10 * 60 * 1000;
/** So long a hook holds back the terminal's own prompt. Then that asks, and the card is closed just before its time ends. */
export const HELD_BACK_MS = 2 * 60 * 1000;
const REFUSED = "The automatic mode refused this call.";
/** Gateways refuse requests over 256 KiB by default: a change that leads there is not shown. */
const MAX_CHANGE_BYTES = 160 * 1024;

/** `undefined` for questions that have no unambiguous answer: only the terminal asks them. */
export async function toTerminalQuestion(
  prompt: TerminalPrompt,
): Promise<TerminalQuestion | undefined> {
  return prompt.toolName === QUESTION_TOOL ? toQuestion(prompt) : toApproval(prompt);
}

function toQuestion({ toolName, input }: TerminalPrompt): TerminalQuestion | undefined {
  const parsed = toQuestions(input, PREVIEW_FORMAT);
  if (!parsed.ok) return undefined;
  const { questions } = parsed;
  return {
    request: { ...WAITING, kind: "question", questions: questions as readonly QuestionInput[] },
    async toDecision(response) {
      const updatedInput = toAnsweredInput(input, questions, response);
      return updatedInput ? { behavior: "allow", updatedInput } : denyAsSaid(toolName, response);
    },
  };
}

/** What runs is the input that the gateway stored, or the edit that it stored. */
async function toApproval(prompt: TerminalPrompt): Promise<TerminalQuestion> {
  const { kind, toolName, input, cwd, server, suggestions, refusal } = prompt;
  const isRefused = refusal !== undefined;
  const { holdsPrompt } = TERMINALS[kind];
  const {
    scopes: approvalScopes,
    scopeText,
    updates,
  } = terminalScopes(isRefused || holdsPrompt ? [] : suggestions);
  const change = await findFileChange(toolName, input, { cwd });
  const isShown = change && Buffer.byteLength(JSON.stringify(change)) <= MAX_CHANGE_BYTES;
  return {
    request: {
      ...WAITING,
      ...(holdsPrompt && { timeoutMs: HELD_BACK_MS + 1000 }),
      ...(isRefused && { timeoutMs: REFUSAL_MS, defaultToDeny: true }),
      kind: "approval",
      input,
      cwd,
      approvalScopes,
      scopeText,
      // The runtime keeps what lasts: it is no grant of the gateway's.
      grantKey: null,
      display: {
        ...(server !== undefined && { server }),
        ...(isRefused && { reason: refusal === "" ? REFUSED : `${REFUSED} ${refusal}` }),
      },
      ...(isShown && { change }),
      // What runs is the same call, tried again: its agent sends the input, and would not know of another one.
      editable: !isRefused && !holdsPrompt,
    },
    async toDecision({ action, input: approved, approvalScope = "once", ...response }) {
      if (action !== "approve" || !approved) return denyAsSaid(toolName, { ...response, action });
      if (isShown && isDeepStrictEqual(approved, input)) {
        const isSame = await isAsShown({ toolName, input, cwd }, change);
        if (!isSame) return denyChanged(toolName, change.path);
      }
      const updatedPermissions = updates[approvalScope];
      return {
        behavior: "allow",
        updatedInput: { ...approved },
        ...(updatedPermissions && { updatedPermissions: [...updatedPermissions] }),
      };
    },
  };
}

/** What the hook prints when the terminal is to go on as if there were no hook. */
export const NO_DECISION = "{}";

/** What the hook prints for a decision. What a classifier has refused stays refused by printing nothing. */
export function toHookOutput(
  { kind, refusal }: Pick<TerminalPrompt, "kind" | "refusal">,
  result: PermissionResult,
): string {
  const { behavior, ...decision } = result;
  if (refusal !== undefined) {
    const hookSpecificOutput = { hookEventName: "PermissionDenied", retry: true };
    return behavior === "allow" ? JSON.stringify({ hookSpecificOutput }) : NO_DECISION;
  }
  // What is more than a yes, or a no with its reason, Codex takes as a failed hook.
  const taken = TERMINALS[kind].holdsPrompt
    ? { ...(result.behavior === "deny" && { message: result.message }) }
    : decision;
  return JSON.stringify({
    hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior, ...taken } },
  });
}

/** What the hook prints for a call that has a pass. It is allowed with the input that was shown, and no rule is overridden. */
export function toPassOutput({ input }: Pick<TerminalPrompt, "input">): string {
  return JSON.stringify({
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "allow",
      permissionDecisionReason: "A person has allowed this call once.",
      updatedInput: input,
    },
  });
}
