import type { ElicitationRequest, ElicitationResult } from "@anthropic-ai/claude-agent-sdk";
import { RequestWithdrawn, type HoldRequest, type HoldResult } from "@holdpoint/engine";

import { asksForSecret, toElicitationForm } from "./elicitation-form.ts";
import type { Delivered } from "./tool-ask.ts";

/** An MCP server's request to a person, as passed on by the runtime. */
export interface Elicitation {
  readonly request: ElicitationRequest;
  readonly requestId: string;
  /** Aborts when the server or the runtime no longer needs an answer. */
  readonly signal: AbortSignal;
}

/** The tool call during which a server asks. */
export interface ElicitingCall {
  readonly toolCallId: string;
  readonly toolName: string;
  /** The task of the sub-agent that made the call. */
  readonly agentTask?: string | undefined;
}

/** The part of a turn that a server's request needs. */
export interface ElicitationTurn {
  /** The running call of this server; `undefined` if there is none. */
  findCall(serverName: string, signal: AbortSignal): Promise<ElicitingCall | undefined>;
  hold(request: HoldRequest, options: { signal: AbortSignal }): Promise<HoldResult>;
  handingOver(toolCallId: string, delivered: Delivered): void;
  /** Logs in the session why a server's request was not asked. */
  tellNotAsked(message: string): Promise<void>;
}

/** Larger requests are refused unread. */
const MAX_REQUEST_BYTES = 240 * 1024;
const MAX_NAME = 80;
const MAX_PROBLEM = 300;

/** The open requests of MCP servers in one turn. */
export class Elicitations {
  readonly #turn: ElicitationTurn;
  /** Requests to visit a page, by server and the server's id. */
  readonly #visits = new Map<string, AbortController>();

  constructor(turn: ElicitationTurn) {
    this.#turn = turn;
  }

  /**
   * Asks a person. Never rejects: a request that cannot be asked is cancelled, and the session shows why. It is
   * not declined, since `decline` tells the server that a person refused.
   */
  async ask(asked: Elicitation): Promise<ElicitationResult> {
    const { serverName } = asked.request;
    try {
      const problem = problemOf(asked.request);
      if (problem !== undefined) return await this.#cancel(serverName, problem);
      return await this.#ask(asked);
    } catch (error: unknown) {
      return this.#cancel(serverName, error);
    }
  }

  /** The server reports that the person has finished on its page. */
  complete(serverName: string, elicitationId: string): void {
    const reason = new RequestWithdrawn(`${toName(serverName)} says that this is done.`);
    this.#visits.get(keyOf(serverName, elicitationId))?.abort(reason);
  }

  async #ask({ request, requestId, signal }: Elicitation): Promise<ElicitationResult> {
    const { serverName, message, elicitationId } = request;
    const call = await this.#turn.findCall(serverName, signal);
    if (signal.aborted) return { action: "cancel" };
    if (call === undefined) {
      return this.#cancel(serverName, "It asked while none of its tools was running.");
    }
    const { toolCallId, toolName, agentTask } = call;
    const completed = new AbortController();
    const key = elicitationId === undefined ? undefined : keyOf(serverName, elicitationId);
    if (key !== undefined) this.#visits.set(key, completed);
    try {
      const result = await this.#turn.hold(
        {
          kind: "form",
          toolCallId,
          toolName,
          ...(agentTask !== undefined && { agentTask }),
          ...(message.trim() !== "" && { prompt: message }),
          // The answer is for the server only, and later the server's request is gone.
          onTimeout: "deny",
          form: toElicitationForm(request, requestId),
        },
        { signal: AbortSignal.any([signal, completed.signal]) },
      );
      if (result.outcome === "answered") {
        this.#turn.handingOver(toolCallId, (knowledge) => result.delivered(knowledge));
      } else if (result.outcome === "withdrawn" && result.code !== undefined) {
        return await this.#cancel(serverName, result.reason);
      }
      return toResult(result, { mode: request.mode, isCompleted: completed.signal.aborted });
    } finally {
      if (key !== undefined && this.#visits.get(key) === completed) this.#visits.delete(key);
    }
  }

  async #cancel(serverName: string, cause: unknown): Promise<ElicitationResult> {
    const problem = (cause instanceof Error ? cause.message : String(cause)).slice(0, MAX_PROBLEM);
    // If the log is gone, the turn ends for that reason.
    await this.#turn.tellNotAsked(`${toName(serverName)}: ${problem}`).catch(() => undefined);
    return { action: "cancel" };
  }
}

/**
 * The server's result. A wait that ended without an answer is cancelled, unless the server itself reported that the
 * person has finished on its page.
 */
function toResult(
  result: HoldResult,
  {
    mode,
    isCompleted,
  }: { readonly mode: ElicitationRequest["mode"]; readonly isCompleted: boolean },
): ElicitationResult {
  if (result.outcome !== "answered") return { action: isCompleted ? "accept" : "cancel" };
  switch (result.response.action) {
    case "submit":
      if (mode === "url") return { action: "accept" };
      return { action: "accept", content: { ...(result.values as ElicitationResult["content"]) } };
    case "deny":
      return { action: "decline" };
    case "approve":
    case "cancel":
      return { action: "cancel" };
  }
}

/** Why a request is refused before a person is asked. */
function problemOf(request: ElicitationRequest): string | undefined {
  const { mode = "form" } = request;
  if (mode !== "form" && mode !== "url") return "This kind of request is unknown.";
  // Throws for a schema that is too deep to serialize.
  const bytes = Buffer.byteLength(JSON.stringify(request));
  if (bytes > MAX_REQUEST_BYTES) return "The request is too large to be shown.";
  return asksForSecret(request)
    ? "It asked for a secret in a form, which MCP forbids. It must ask on its own web page instead."
    : undefined;
}

function keyOf(serverName: string, elicitationId: string): string {
  return JSON.stringify([serverName, elicitationId]);
}

/** The server's name, shortened for the session. */
export function toName(serverName: string): string {
  return serverName.length > MAX_NAME ? `${serverName.slice(0, MAX_NAME)}…` : serverName;
}
