import type { InteractionOutcome } from "./interaction-request.ts";

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
