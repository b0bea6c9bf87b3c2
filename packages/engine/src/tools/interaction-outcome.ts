import type { Interaction } from "@holdpoint/protocol";

import type { FormInput } from "./form-values.ts";
import type { ApprovalRequest, FormRequest, QuestionRequest } from "./interaction-request.ts";
import type { PersonResponse } from "./person-response.ts";

export type Awaitable<T> = T | Promise<T>;

/** A handler's decision about a response, or about a timeout. */
export type InteractionOutcome<TResult = unknown> =
  /** `requestInteraction` resolves with this value. */
  | { readonly complete: TResult }
  /** Asks again, at most 5 times. */
  | { readonly reprompt: Reprompt }
  /**
   * The tool call ends as queued. A question without an answer stays open, for days if necessary, and its answer
   * reaches the agent as a message. After an answer, that answer is sent as the message.
   */
  | { readonly pending: { readonly message: string } };

/** The changes for the next round. Everything else stays the same, including handlers. */
export type Reprompt = RepromptParts &
  (
    | { readonly kind?: undefined; readonly inputSchema?: undefined }
    /** A reprompt for another kind or for other values must have a handler for them. */
    | {
        readonly kind?: Interaction["kind"];
        readonly inputSchema?: FormInput;
        readonly onResponse: OnAnyResponse;
      }
  );

type OnAnyResponse = (response: PersonResponse) => Awaitable<InteractionOutcome>;

interface RepromptParts
  extends
    Partial<Omit<ApprovalRequest, "kind" | "onResponse">>,
    Partial<Omit<QuestionRequest, "kind" | "onResponse">>,
    Partial<Omit<FormRequest, "kind" | "onResponse" | "inputSchema">> {
  readonly onResponse?: OnAnyResponse;
  /** An error about the input as a whole. */
  readonly error?: string;
  /** Errors by field. */
  readonly fieldErrors?: Readonly<Record<string, string>>;
}

declare const absent: unique symbol;
/** Takes the place of the outcomes of a handler that a request does not have. */
export interface NoHandler {
  readonly [absent]: true;
}

/** The result of a request: the value that its handlers complete with, or the response if there is no `onResponse`. */
export type ResultOf<TResponse, TOutcome, TLate> =
  | ([NoHandler] extends [TOutcome] ? TResponse : CompletedBy<TOutcome>)
  | ([NoHandler] extends [TLate] ? never : CompletedBy<TLate>);

type CompletedBy<TOutcome> = [InteractionOutcome] extends [TOutcome]
  ? unknown
  : TOutcome extends { readonly complete: infer TResult }
    ? TResult
    : TOutcome extends { readonly reprompt: infer TReprompt }
      ? CompletedIn<TReprompt, "onResponse"> | CompletedIn<TReprompt, "onTimeout">
      : never;

type CompletedIn<TReprompt, TName extends string> = TReprompt extends {
  readonly [N in TName]: (...args: never) => infer TOutcome;
}
  ? CompletedBy<Awaited<TOutcome>>
  : never;
