import { ProtocolError, type Approval, type Interaction } from "@holdpoint/protocol";

import { scopeTextOf } from "../grants/scope-text.ts";
import { digestOf } from "../lib/digest.ts";
import { toInstant } from "../lib/instant.ts";
import type { HoldRequest } from "../ports/agent-adapter.ts";
import { createForm } from "./form/create-form.ts";

type ApprovalRequest = Extract<HoldRequest, { kind: "approval" }>;

/** The checked content of a request; for an approval, with its digest. */
export type InteractionSubject = Pick<Interaction, "approval" | "questions" | "form">;

export interface InteractionPlace {
  readonly interactionId: string;
  readonly sessionId: string;
  readonly turnId: string;
  readonly nowMs: number;
  /** How long to hold if the request sets no time. */
  readonly timeoutMs: number;
  /** Who may answer; absent: everyone with the role. */
  readonly responders?: Interaction["responders"];
}

/** The last instant that the protocol can represent. A later deadline counts as none. */
const LAST_INSTANT_MS = Date.UTC(9999, 11, 31);

/**
 * The content of a request. Throws a `ProtocolError` with the code `INVALID_REQUEST` for a request that no one could
 * answer, such as a form outside the supported subset.
 */
export function createSubject(
  request: HoldRequest,
  { sessionId, cwd: sessionCwd }: { readonly sessionId: string; readonly cwd: string },
): InteractionSubject {
  switch (request.kind) {
    case "approval":
      return { approval: createApproval(request, { sessionId, cwd: request.cwd ?? sessionCwd }) };
    case "question":
      assertDistinct(request.questions.map((question) => question.id));
      for (const question of request.questions) {
        assertDistinct(question.options.map((option) => option.id));
      }
      if (request.questions.length === 0) throw invalid("There is no question.");
      return { questions: [...request.questions] };
    case "form":
      return { form: createForm(request.form) };
  }
}

function createApproval(
  request: ApprovalRequest,
  { sessionId, cwd }: { readonly sessionId: string; readonly cwd: string },
): Approval {
  const { toolName, input, display, change, editable, defaultToDeny } = request;
  if (request.scopes.length === 0) throw invalid("An approval needs a scope.");
  return {
    input,
    cwd,
    display,
    ...(change && { change }),
    digest: digestOf({ tool: toolName, input, cwd, sessionId }),
    scopes: [...request.scopes],
    ...scopeTextOf(request),
    editable,
    ...(isRemembered(request) && { canLimit: true }),
    ...(defaultToDeny !== undefined && { defaultToDeny }),
  };
}

function isRemembered({ grantKey, scopes }: ApprovalRequest): boolean {
  return grantKey !== undefined && scopes.some((scope) => scope !== "once");
}

/** The pending interaction that a request opens. */
export function createInteraction(
  request: HoldRequest,
  subject: InteractionSubject,
  place: InteractionPlace,
): Interaction {
  const deadlineMs = place.nowMs + (request.timeoutMs ?? place.timeoutMs);
  return {
    interactionId: place.interactionId,
    sessionId: place.sessionId,
    turnId: place.turnId,
    toolCallId: request.toolCallId,
    toolName: request.toolName,
    ...(request.agentId !== undefined && { agentId: request.agentId }),
    ...(request.agentTask !== undefined && { agentTask: request.agentTask }),
    kind: request.kind,
    status: "pending",
    ...(request.prompt !== undefined && { prompt: request.prompt }),
    ...roundOf(request),
    ...subject,
    presentation: request.presentation ?? "tool",
    ...(request.completedView && { completedView: request.completedView }),
    startedAt: toInstant(place.nowMs),
    ...(deadlineMs <= LAST_INSTANT_MS && { deadlineAt: toInstant(deadlineMs) }),
    ...(place.responders && { responders: place.responders }),
    onTimeout: request.onTimeout ?? "wait",
    hold: "held",
  };
}

/** The interaction as sent to clients, with the time left by the gateway's clock. */
export function withRemaining(interaction: Interaction, nowMs: number): Interaction {
  if (interaction.status !== "pending" || interaction.deadlineAt === undefined) return interaction;
  const remainingMs = Math.max(0, Math.round(Date.parse(interaction.deadlineAt) - nowMs));
  return { ...interaction, remainingMs };
}

function roundOf({
  previousId,
  attempt = 1,
  error,
  fieldErrors,
}: HoldRequest): Pick<Interaction, "previousId" | "attempt" | "error" | "fieldErrors"> {
  return {
    ...(previousId !== undefined && { previousId }),
    attempt,
    ...(error !== undefined && { error }),
    ...(fieldErrors && { fieldErrors }),
  };
}

function assertDistinct(ids: readonly string[]): void {
  if (new Set(ids).size < ids.length) throw invalid("Two ids are the same.");
}

function invalid(problem: string): ProtocolError {
  return new ProtocolError("INVALID_REQUEST", problem);
}
