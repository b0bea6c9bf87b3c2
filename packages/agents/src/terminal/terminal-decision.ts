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

/** A terminal's request to a person, and the terminal's result for each response. */
export interface TerminalQuestion {
  readonly request: ApprovalRequest | QuestionRequest;
  toDecision(response: PersonResponse): Promise<PermissionResult>;
}

/** A terminal waits as long as its own prompt is open, and takes no answer after that. */
const WAITING = { timeoutMs: Infinity, onTimeoutPolicy: "deny" } as const;
/**
 * A refused call is not prompted in the terminal, and it blocks its agent. So it waits for a person only for this time,
 * and then stays refused.
 */
const REFUSAL_MS = 10 * 60 * 1000;
/**
 * How long a hook holds back the terminal's own prompt. After that the terminal asks, and the card is closed just
 * before its time ends.
 */
export const HELD_BACK_MS = 2 * 60 * 1000;
const REFUSED = "The automatic mode refused this call.";
/** Gateways refuse requests over 256 KiB by default, so a change that would make a request larger is left out. */
const MAX_CHANGE_BYTES = 160 * 1024;

/** `undefined` for questions without an unambiguous answer: only the terminal asks them. */
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

/** The call runs with the input that the gateway stored, or with the edit that it stored. */
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
      // The runtime keeps lasting approvals, so the gateway stores no grant.
      grantKey: null,
      display: {
        ...(server !== undefined && { server }),
        ...(isRefused && { reason: refusal === "" ? REFUSED : `${REFUSED} ${refusal}` }),
      },
      ...(isShown && { change }),
      // For a refused call, the agent sends its own input again and would not know of an edit.
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

/** The hook's output without a decision: the terminal continues as if there were no hook. */
export const NO_DECISION = "{}";

/**
 * The hook's output for a decision. For a call refused by a classifier, only an approval has an effect: anything else
 * leaves the call refused.
 */
export function toHookOutput(
  { kind, refusal }: Pick<TerminalPrompt, "kind" | "refusal">,
  result: PermissionResult,
): string {
  const { behavior, ...decision } = result;
  if (refusal !== undefined) {
    const hookSpecificOutput = { hookEventName: "PermissionDenied", retry: true };
    return behavior === "allow" ? JSON.stringify({ hookSpecificOutput }) : NO_DECISION;
  }
  // Codex treats anything beyond a plain yes, or a no with its reason, as a failed hook.
  const taken = TERMINALS[kind].holdsPrompt
    ? { ...(result.behavior === "deny" && { message: result.message }) }
    : decision;
  return JSON.stringify({
    hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior, ...taken } },
  });
}

/**
 * The hook's output for a call with a pass, which allows the call with the input that was shown, and overrides no rule
 * (R-6).
 */
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
