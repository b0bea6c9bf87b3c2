import {
  type CallToolResult,
  inputRequired,
  type InputRequiredResult,
  ProtocolError as McpError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";

import { describeError } from "../http/request-log.ts";
import {
  type AgentTools,
  BACK_MS,
  type Calling,
  type CallParams,
  reporter,
} from "./agent-tools.ts";
import type { AskedState, StateOwner } from "./asked-states.ts";
import { toCallToolResult, whileReporting } from "./call-tool.ts";
import { HeldCall } from "./held-call.ts";
import { HeldCalls } from "./held-calls.ts";
import type { McpOptions } from "./mcp-options.ts";
import { PAGE_MESSAGE } from "./page-message.ts";

/** The key of the only input request. */
const PAGE = "page";
/** A call ends as queued after this many waits: clients built with the SDK return ten times. */
const MAX_WAITS = 6;

/** The caller of a held call. */
export interface PagedCaller {
  readonly tokenId: string;
  readonly sessionId: string;
  readonly tools: AgentTools;
  /** Aborts when the client disconnects before it has the whole answer. */
  readonly gone: AbortSignal;
  /** Runs the callback once the client has received the whole answer; otherwise never. */
  readonly afterSent: (run: () => void) => void;
}

/** A request's caller and client. */
interface Requested {
  readonly caller: PagedCaller;
  readonly calling: Calling;
}

type Answer = CallToolResult | InputRequiredResult;

/**
 * Calls of clients that can show a page. Instead of waiting, such a client is sent to the card's page, and returns with
 * a `requestState`. The call continues in the background, or after a restart when the client returns.
 */
export class PagedCalls {
  readonly #options: McpOptions;
  readonly #held: HeldCalls;

  constructor(options: McpOptions) {
    this.#options = options;
    this.#held = new HeldCalls(options);
  }

  /**
   * True when the token has as many held calls as allowed. Its next call then keeps its client waiting, as for other
   * clients.
   */
  isFull(tokenId: string): boolean {
    return this.#held.isFull(tokenId);
  }

  /**
   * Starts a call. Resolves when it is over or waits for a person. A client that disconnects before then has cancelled
   * it.
   */
  async start(params: CallParams, caller: PagedCaller, calling: Calling): Promise<Answer> {
    const { tools } = caller;
    try {
      await tools.takeMessage();
      const held = this.#hold(await tools.callIdFor(params), params, { caller, calling });
      return await this.#wait(held, params, { caller, calling, endsWithClient: true });
    } catch (error: unknown) {
      throw tools.toMcpError(error);
    }
  }

  /** Resumes a call that its client returns to. A state that was already used is refused, and settles nothing. */
  async resume(
    state: AskedState,
    params: CallParams,
    { caller, calling }: Requested,
  ): Promise<Answer> {
    const { tools } = caller;
    try {
      const found = await this.#find(state, params, { caller, calling });
      if (!(found instanceof HeldCall)) {
        caller.afterSent(() => this.#noteUsed(state.toolCallId));
        return tools.withMessages(found);
      }
      return await this.#wait(found, params, { caller, calling, after: state });
    } catch (error: unknown) {
      throw tools.toMcpError(error);
    }
  }

  /** Abandons the calls of one token. */
  revoke(tokenId: string): void {
    this.#held.revoke(tokenId);
  }

  /** Forgets all calls. A stopping gateway ends them itself, so that they can be resumed. */
  clear(): void {
    this.#held.clear();
  }

  #hold(
    toolCallId: string,
    { name, arguments: args = {} }: CallParams,
    { caller: { tokenId, sessionId }, calling: { traceparent } }: Requested,
  ): HeldCall {
    return this.#held.start(tokenId, { sessionId, toolCallId, name, args, traceparent });
  }

  /** Returns the running call, the result of a finished one, or a new run of the call after a restart. */
  async #find(
    { toolCallId, asked }: AskedState,
    params: CallParams,
    requested: Requested,
  ): Promise<HeldCall | CallToolResult> {
    const { usedStates } = this.#options;
    const { caller } = requested;
    if (usedStates.has(toolCallId) || usedStates.has(idOf(toolCallId, asked))) throw used();
    const running = this.#held.get(toolCallId);
    if (running) return running;
    const found = await this.#options.tools.find(caller.sessionId, toolCallId);
    if (!found) throw refused("This call no longer exists.", "lost_call");
    // Another request may have resumed the same state in the meantime.
    const joined = this.#held.get(toolCallId);
    if (joined) return joined;
    if (found.isOver) {
      if (!found.result) throw refused("The call is over, and its result is lost.", "lost_call");
      return toCallToolResult(found.result);
    }
    const held = this.#hold(toolCallId, params, requested);
    held.asked = asked;
    return held;
  }

  async #wait(
    held: HeldCall,
    params: CallParams,
    waiting: Requested & {
      readonly after?: AskedState;
      readonly endsWithClient?: boolean;
    },
  ): Promise<Answer> {
    const { caller, calling, after, endsWithClient = false } = waiting;
    if (held.isAttended) {
      throw refused("Another request waits with this requestState.", "request_state_in_use");
    }
    const limitMs = after && caller.tools.limitOf(params, calling.clientName);
    if (after) held.waits += 1;
    if (held.waits > MAX_WAITS) held.finishAsQueued();
    const { clock } = this.#options;
    const { signal } = calling;
    const end = await whileReporting(reporter(params, calling), clock, () =>
      held.attend({ clock, signal, limitMs, ...(after && { after: after.asked }) }),
    );
    const leave = (): void =>
      this.#leave(held, endsWithClient || calling.clientName === "claude-code");
    switch (end.kind) {
      case "result":
        return this.#give(toCallToolResult(end.result), held, caller);
      case "failed":
        this.#held.drop(held);
        throw end.error;
      case "gone":
        leave();
        return { content: [], isError: true };
      case "asked":
        if (after) caller.afterSent(() => this.#noteUsed(idOf(held.toolCallId, after.asked)));
        whenGone(caller.gone, leave);
        return this.#sendToPage(end.interactionId, held, params, caller);
      case "limit":
        // There is nothing new to show, so the client is to return once more.
        return inputRequired({ requestState: this.#seal(held, params, caller) });
    }
  }

  #sendToPage(interactionId: string, held: HeldCall, params: CallParams, caller: PagedCaller) {
    const url = this.#options.toCardUrl(interactionId);
    return inputRequired({
      inputRequests: { [PAGE]: inputRequired.elicitUrl({ message: PAGE_MESSAGE, url }) },
      requestState: this.#seal(held, params, caller),
    });
  }

  #seal(held: HeldCall, params: CallParams, caller: PagedCaller): string {
    const { toolCallId, asked = "" } = held;
    return this.#options.states.seal({ toolCallId, asked }, ownerOf(params, caller));
  }

  /** Returns the result. Once it is sent, no state can fetch it again. */
  #give(result: CallToolResult, held: HeldCall, { tools, afterSent }: PagedCaller) {
    afterSent(() => {
      this.#held.remove(held);
      // A call that asked no one has no state.
      if (held.asked !== undefined) this.#noteUsed(held.toolCallId);
    });
    return tools.withMessages(result);
  }

  #noteUsed(id: string): void {
    const { states, usedStates, log } = this.#options;
    usedStates.add(id, states.untilMs()).catch((error: unknown) => {
      log.error(describeError(error), "the use of a requestState was not noted");
    });
  }

  /**
   * Handles a client that disconnects while it waits: the call is abandoned and its request withdrawn, because no one
   * waits for the result. Most clients get time to return, since only the connection may be lost; Claude never returns.
   */
  #leave(held: HeldCall, isGone: boolean): void {
    if (this.#held.isStopping || held.isAttended) return;
    if (isGone) this.#held.drop(held);
    else held.endUnlessBack(this.#options.clock, BACK_MS, () => this.#held.drop(held));
  }
}

/** Runs when the client disconnects without the answer that it would return with. */
function whenGone(gone: AbortSignal, run: () => void): void {
  if (gone.aborted) run();
  else gone.addEventListener("abort", run, { once: true });
}

/** The owner that a call's states are bound to. */
export function ownerOf(
  { name, arguments: args = {} }: CallParams,
  { tokenId, sessionId }: Pick<PagedCaller, "sessionId" | "tokenId">,
): StateOwner {
  return { tokenId, sessionId, name, args };
}

/** The id of the states for one interaction of a call. The call's own id covers all of its states. */
function idOf(toolCallId: string, asked: string): string {
  return `${toolCallId}/${asked}`;
}

function used(): McpError {
  return refused("This requestState was used.", "used_request_state");
}

/** An error with a machine-readable `reason`. */
export function refused(message: string, reason: string): McpError {
  return new McpError(ProtocolErrorCode.InvalidParams, message, { reason });
}
