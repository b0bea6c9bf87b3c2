import type { PermissionResult } from "@anthropic-ai/claude-agent-sdk";
import type {
  ApprovalRequest,
  PersonResponse,
  QuestionInput,
  QuestionRequest,
} from "@holdpoint/engine";

import { toAnsweredInput, toQuestions } from "../claude/ask-user-question.ts";
import { PREVIEW_FORMAT, QUESTION_TOOL } from "../claude/decide-question.ts";
import { denyAsSaid } from "../claude/denials.ts";
import { findFileChange } from "../claude/file-change.ts";
import type { TerminalPrompt } from "./hook-input.ts";
import { terminalScopes } from "./terminal-scopes.ts";

/** What a person is asked for a terminal, and what the terminal gets for each response. */
export interface TerminalQuestion {
  readonly request: ApprovalRequest | QuestionRequest;
  toDecision(response: PersonResponse): PermissionResult;
}

/** A terminal waits as long as its own prompt is open, and takes no answer after that. */
const WAITING = { timeoutMs: Infinity, onTimeoutPolicy: "deny" } as const;
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
    toDecision(response) {
      const updatedInput = toAnsweredInput(input, questions, response);
      return updatedInput ? { behavior: "allow", updatedInput } : denyAsSaid(toolName, response);
    },
  };
}

/** What runs is the input that the gateway stored, or the edit that it stored. */
async function toApproval(prompt: TerminalPrompt): Promise<TerminalQuestion> {
  const { toolName, input, cwd, server, suggestions } = prompt;
  const { scopes: approvalScopes, scopeText, updates } = terminalScopes(suggestions);
  const change = await findFileChange(toolName, input, { cwd });
  const isShown = change && Buffer.byteLength(JSON.stringify(change)) <= MAX_CHANGE_BYTES;
  return {
    request: {
      ...WAITING,
      kind: "approval",
      input,
      cwd,
      approvalScopes,
      scopeText,
      // The runtime keeps what lasts: it is no grant of the gateway's.
      grantKey: null,
      display: server === undefined ? {} : { server },
      ...(isShown && { change }),
      editable: true,
    },
    toDecision({ action, input: approved, approvalScope = "once", ...response }) {
      if (action !== "approve" || !approved) return denyAsSaid(toolName, { ...response, action });
      const updatedPermissions = updates[approvalScope];
      return {
        behavior: "allow",
        updatedInput: { ...approved },
        ...(updatedPermissions && { updatedPermissions: [...updatedPermissions] }),
      };
    },
  };
}

/** What the hook prints for a decision. */
export function toHookOutput({ behavior, ...decision }: PermissionResult): string {
  return JSON.stringify({
    hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior, ...decision } },
  });
}
