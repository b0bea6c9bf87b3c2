import type { Interaction } from "@holdpoint/protocol";

import type { FormInput } from "./form-values.ts";
import type { ApprovalRequest, FormRequest, QuestionRequest } from "./interaction-request.ts";
import type { PersonResponse } from "./person-response.ts";

export type Awaitable<T> = T | Promise<T>;

/** What a handler makes of a response, or of there being none. */
export type InteractionOutcome<TResult = unknown> =
  /** `requestInteraction` resolves with it. */
  | { readonly complete: TResult }
  /** Asks again, at most 5 times. */
  | { readonly reprompt: Reprompt }
  /**
   * The tool call ends as queued. Without an answer the question stays open, for days if need be, and its answer reaches
   * the agent as a message; after an answer, that answer does.
   */
  | { readonly pending: { readonly message: string } };

/** What changes in the next round; everything else stays as it was, handlers included. */
export type Reprompt = RepromptParts &
  (
    | { readonly kind?: undefined; readonly inputSchema?: undefined }
    /** What asks for another kind or for other values brings a handler for them. */
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
  /** What was wrong with the whole. */
  readonly error?: string;
  /** Field → what was wrong with it. */
  readonly fieldErrors?: Readonly<Record<string, string>>;
}

declare const absent: unique symbol;
/** In place of the outcomes of a handler that a request does not have. */
export interface NoHandler {
  readonly [absent]: true;
}

/** What a request resolves with: what its handlers complete with, or the response where there is no `onResponse`. */
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
