import type { ElicitationRequest, ElicitationResult } from "@anthropic-ai/claude-agent-sdk";
import { NoLongerAsked, type HoldRequest, type HoldResult } from "@holdpoint/engine";

import { asksForSecret, toElicitationForm } from "./elicitation-form.ts";
import type { Delivered } from "./tool-ask.ts";

/** One request of an MCP server to a person, as the runtime passes it on. */
export interface Elicitation {
  readonly request: ElicitationRequest;
  readonly requestId: string;
  /** Aborts when the server or the runtime needs no answer any more. */
  readonly signal: AbortSignal;
}

/** The tool call during which a server asks. */
export interface ElicitingCall {
  readonly toolCallId: string;
  readonly toolName: string;
  /** What the sub-agent that made the call was started for. */
  readonly agentTask?: string | undefined;
}

/** The turn, as far as a server's request needs it. */
export interface ElicitationTurn {
  /** The call that this server is at; undefined when it is at none. */
  findCall(serverName: string, signal: AbortSignal): Promise<ElicitingCall | undefined>;
  hold(request: HoldRequest, options: { signal: AbortSignal }): Promise<HoldResult>;
  handingOver(toolCallId: string, delivered: Delivered): void;
  /** Writes into the session why a server's request was not asked. */
  tellNotAsked(message: string): Promise<void>;
}

/** Larger ones are not looked at. */
const MAX_REQUEST_BYTES = 240 * 1024;
const MAX_NAME = 80;
const MAX_PROBLEM = 300;

/** The requests of MCP servers in one turn that are open. */
export class Elicitations {
  readonly #turn: ElicitationTurn;
  /** By server and its own id: those that ask for a visit. */
  readonly #visits = new Map<string, AbortController>();

  constructor(turn: ElicitationTurn) {
    this.#turn = turn;
  }

  /**
   * Asks a person. Never rejects: a request that cannot be asked is cancelled, and the session shows why. To a server
   * `decline` means that a person refused.
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

  /** The server says that the person has done on its page what it wanted. */
  complete(serverName: string, elicitationId: string): void {
    const reason = new NoLongerAsked(`${toName(serverName)} says that this is done.`);
    this.#visits.get(keyOf(serverName, elicitationId))?.abort(reason);
  }

  async #ask({ request, requestId, signal }: Elicitation): Promise<ElicitationResult> {
    const { serverName, message, elicitationId } = request;
    const call = await this.#turn.findCall(serverName, signal);
    if (signal.aborted) return { action: "cancel" };
    if (call === undefined) {
      return this.#cancel(serverName, "It asked while no call of its tools ran.");
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
          // Nobody but the server may have the answer, and later it is gone.
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
    // The log may be gone: then the turn ends for that reason.
    await this.#turn.tellNotAsked(`${toName(serverName)}: ${problem}`).catch(() => undefined);
    return { action: "cancel" };
  }
}

/**
 * What the server hears. An end of the wait is no answer. Where the server itself has said that the person is done on its
 * page, it hears what it knows.
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

/** Why a request is not even tried. */
function problemOf(request: ElicitationRequest): string | undefined {
  const { mode = "form" } = request;
  if (mode !== "form" && mode !== "url") return "This kind of request is not known.";
  // A schema that is too deep to be written throws.
  const bytes = Buffer.byteLength(JSON.stringify(request));
  if (bytes > MAX_REQUEST_BYTES) return "The request is too large to be shown.";
  return asksForSecret(request)
    ? "It asked for a secret in a form, which MCP forbids. It has to use a page of its own."
    : undefined;
}

function keyOf(serverName: string, elicitationId: string): string {
  return JSON.stringify([serverName, elicitationId]);
}

/** As the session is told it. */
export function toName(serverName: string): string {
  return serverName.length > MAX_NAME ? `${serverName.slice(0, MAX_NAME)}…` : serverName;
}
