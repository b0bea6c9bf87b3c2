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

/** The name of the one thing that a client is asked for. */
const PAGE = "page";
/** After so many waits a call ends as queued: clients of the SDK come back ten times. */
const MAX_WAITS = 6;

/** Who calls, as a call that is held for it needs it. */
export interface PagedCaller {
  readonly tokenId: string;
  readonly sessionId: string;
  readonly tools: AgentTools;
  /** Aborts when the client has gone without the whole answer to its request. */
  readonly gone: AbortSignal;
  /** Runs when the client certainly has the whole answer to its request; else never. */
  readonly afterSent: (run: () => void) => void;
}

/** One request, by its caller and its client. */
interface Requested {
  readonly caller: PagedCaller;
  readonly calling: Calling;
}

type Answer = CallToolResult | InputRequiredResult;

/**
 * Calls of clients that can show a page. Such a client is sent to the card's page instead of being held, and comes back with
 * a `requestState`. Meanwhile the call goes on without it; after a restart it goes on when the client comes back.
 */
export class PagedCalls {
  readonly #options: McpOptions;
  readonly #held: HeldCalls;

  constructor(options: McpOptions) {
    this.#options = options;
    this.#held = new HeldCalls(options);
  }

  /** Whether the token has as many calls held as it may: its next one waits as those of other clients do. */
  isFull(tokenId: string): boolean {
    return this.#held.isFull(tokenId);
  }

  /** Starts a call; resolves when it is over, or waits for a person. A client that leaves before has cancelled it. */
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

  /** Goes on with a call that its client was told to come back to. Refuses a state that was used, and settles nothing then. */
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

  /** Gives up the calls of one token. */
  revoke(tokenId: string): void {
    this.#held.revoke(tokenId);
  }

  /** Forgets all of them. The gateway that stops ends them itself, so that they can come again. */
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

  /** The call where it still runs; what came of it where it is over; a new run of it after a restart. */
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
    if (!found) throw refused("There is no such call any more.", "lost_call");
    // Another request may have come to the same state meanwhile.
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
        // Nothing new to show: it is to come back once more.
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

  /** Gives the result. Once it is sent, no state gets it again. */
  #give(result: CallToolResult, held: HeldCall, { tools, afterSent }: PagedCaller) {
    afterSent(() => {
      this.#held.remove(held);
      // A call that has asked nobody has no state.
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
   * A client that leaves while it waits has given the call up: what it asks is withdrawn, so that nothing runs that nobody
   * waits for. Its line may only have broken, and then it comes back soon; Claude never does.
   */
  #leave(held: HeldCall, isGone: boolean): void {
    if (this.#held.isStopping || held.isAttended) return;
    if (isGone) this.#held.drop(held);
    else held.endUnlessBack(this.#options.clock, BACK_MS, () => this.#held.drop(held));
  }
}

/** It has not got what it would come back with. */
function whenGone(gone: AbortSignal, run: () => void): void {
  if (gone.aborted) run();
  else gone.addEventListener("abort", run, { once: true });
}

/** Whom a state belongs to. */
export function ownerOf(
  { name, arguments: args = {} }: CallParams,
  { tokenId, sessionId }: Pick<PagedCaller, "sessionId" | "tokenId">,
): StateOwner {
  return { tokenId, sessionId, name, args };
}

/** Of the states that name this interaction of the call; the call's own id stands for all of its states. */
function idOf(toolCallId: string, asked: string): string {
  return `${toolCallId}/${asked}`;
}

function used(): McpError {
  return refused("This requestState was used.", "used_request_state");
}

/** An error that a program can tell by its `reason`. */
export function refused(message: string, reason: string): McpError {
  return new McpError(ProtocolErrorCode.InvalidParams, message, { reason });
}
