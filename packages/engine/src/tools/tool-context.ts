import type { ApprovalScope } from "@holdpoint/protocol";

import type { FormInput, KnownWords, ValuesOf } from "./form-values.ts";
import type { InteractionOutcome, NoHandler, ResultOf } from "./interaction-outcome.ts";
import type { ApprovalRequest, FormRequest, QuestionRequest } from "./interaction-request.ts";
import type { ApprovalResponse, FormResponse, QuestionResponse } from "./person-response.ts";

/** What a handler gets for one call. */
export interface ToolContext {
  readonly sessionId: string;
  readonly turnId: string;
  readonly toolCallId: string;
  /** Absolute path that the session's agent works in. */
  readonly cwd: string;
  /** Aborts when the call is over before its handler is: cancelled, or ended as queued. */
  readonly signal: AbortSignal;
  /**
   * Asks a person and resolves with what the request's handlers complete with. Rejects with a `ToolError` when there is
   * no answer; never resolves to consent by itself.
   *
   * Durable by replay: when the gateway dies and the same call comes again, the handler runs again from its start, and
   * what was answered before is answered at once, in the same order. So a handler does its work after its last question.
   */
  readonly requestInteraction: RequestInteraction;
  readonly approvals: ToolApprovals;
  readonly interaction: ToolInteraction;
  readonly log: ToolLog;
}

/** Resolves with what the handlers complete with, or else with the response of the kind that was asked. */
export interface RequestInteraction {
  <TOutcome extends InteractionOutcome | NoHandler, TLate extends InteractionOutcome | NoHandler>(
    request: ApprovalRequest<TOutcome, TLate>,
  ): Promise<ResultOf<ApprovalResponse, TOutcome, TLate>>;
  <TOutcome extends InteractionOutcome | NoHandler, TLate extends InteractionOutcome | NoHandler>(
    request: QuestionRequest<TOutcome, TLate>,
  ): Promise<ResultOf<QuestionResponse, TOutcome, TLate>>;
  <
    const TForm extends FormInput,
    TOutcome extends InteractionOutcome | NoHandler,
    TLate extends InteractionOutcome | NoHandler,
  >(
    request: FormRequest<TOutcome, TLate, TForm> & { readonly inputSchema: KnownWords<TForm> },
  ): Promise<ResultOf<FormResponse<ValuesOf<TForm>>, TOutcome, TLate>>;
}

/**
 * Approvals that this tool remembers, each under its own key. Keys of different tools never meet. Make a key of
 * everything that the approval covers, such as `JSON.stringify([path, mode])`; joined text lets two inputs collide.
 */
export interface ToolApprovals {
  /** For how long a person has allowed it, in this session or everywhere. Each call is recorded as a use. */
  get(key: string): Promise<ApprovalScope | undefined>;
  /**
   * Remembers what a person approves: inside the `onResponse` of their approval, for as long as they said or less.
   * Rejects with `NOT_APPROVED` otherwise. `once` is nothing to remember.
   */
  set(key: string, scope: ApprovalScope): Promise<void>;
  /** Forgets what this tool was allowed for the call's session. */
  clearSession(): Promise<void>;
}

export interface ToolInteraction {
  /** Whether a client that may answer is connected, or was a moment ago. */
  readonly available: boolean;
  /** Calls the listener whenever `available` changes, until it is disposed or the call is over. */
  onChange(listener: (available: boolean) => void): Disposable;
}

export interface ToolLog {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

export interface ToolLogEntry {
  readonly level: keyof ToolLog;
  readonly toolName: string;
  readonly toolCallId: string;
  readonly sessionId: string;
  readonly message: string;
  /** Of an error that the handler threw: where, as the runtime writes it, line by line, also of its causes. */
  readonly stack?: string;
}
