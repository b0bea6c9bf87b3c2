import type { ApprovalScope } from "@holdpoint/protocol";

import type { FormInput, KnownWords, ValuesOf } from "./form-values.ts";
import type { NoHandler, ResultOf } from "./interaction-outcome.ts";
import type {
  ApprovalRequest,
  FormRequest,
  InteractionOutcome,
  QuestionRequest,
} from "./interaction-request.ts";
import type { ApprovalResponse, FormResponse, QuestionResponse } from "./person-response.ts";

/** The context of one call, for its handler. */
export interface ToolContext {
  readonly sessionId: string;
  readonly turnId: string;
  readonly toolCallId: string;
  /** The absolute path that the session's agent works in. */
  readonly cwd: string;
  /** Aborts when the call ends before its handler does: it was cancelled, or ended as queued. */
  readonly signal: AbortSignal;
  /**
   * Asks a person and resolves with the value that the request's handlers complete with. Rejects with a `ToolError`
   * when there is no answer; never resolves to consent on its own.
   *
   * Durable by replay: when the gateway dies and the same call comes again, the handler runs again from its start, and
   * earlier questions are answered at once, in the same order. So a handler should do its work after its last question.
   */
  readonly requestInteraction: RequestInteraction;
  readonly approvals: ToolApprovals;
  readonly interaction: ToolInteraction;
  readonly log: ToolLog;
}

/** Resolves with the value that the handlers complete with, or otherwise with the response to this kind of request. */
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
 * The approvals that this tool remembers, each under its own key. Keys of different tools never collide. Make a key of
 * everything that the approval covers, such as `JSON.stringify([path, mode])`; with joined text, two inputs can
 * collide.
 */
export interface ToolApprovals {
  /** The scope that a person has approved, in this session or everywhere. Each call of this is recorded as a use. */
  get(key: string): Promise<ApprovalScope | undefined>;
  /**
   * Remembers an approval inside the `onResponse` of that approval, for its scope or a narrower one. Rejects with
   * `NOT_APPROVED` otherwise. `once` is not remembered.
   */
  set(key: string, scope: ApprovalScope): Promise<void>;
  /** Forgets this tool's approvals for the call's session. */
  clearSession(): Promise<void>;
}

export interface ToolInteraction {
  /** Whether a client that may answer is connected, or was a moment ago. */
  readonly available: boolean;
  /** Calls the listener whenever `available` changes, until it is disposed or the call has ended. */
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
  /** The stack of an error that the handler threw, in the runtime's format, including its causes. */
  readonly stack?: string;
}
