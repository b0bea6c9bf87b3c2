import type { Answer, ApprovalScope, Responder } from "@holdpoint/protocol";

import type { AnyValues } from "./form-values.ts";

interface Said {
  readonly interactionId: string;
  readonly by?: Responder;
  readonly approvalScope?: undefined;
  readonly input?: undefined;
  readonly answers?: undefined;
  readonly reply?: undefined;
  readonly values?: undefined;
  readonly reason?: undefined;
  readonly stopTurn?: undefined;
}

interface Refusal {
  readonly reason?: string;
  /** Whether the agent has to stop now. */
  readonly stopTurn?: true;
}

type Saying<TMore> = Omit<Said, keyof TMore> & TMore;

/** Only `approve` is consent. A cancelled approval arrives as `deny`. */
export type ApprovalResponse =
  | Saying<{
      readonly action: "approve";
      /** The scope that was actually applied. */
      readonly approvalScope: ApprovalScope;
      /** The input that may run: the one shown, or the person's edit, and nothing else. */
      readonly input: Readonly<Record<string, unknown>>;
    }>
  | Saying<{ readonly action: "deny" } & Refusal>;

export type QuestionResponse =
  /** One answer for each question, in the same order. */
  | Saying<{ readonly action: "submit"; readonly answers: readonly Answer[] }>
  /** A free reply instead of answers. */
  | Saying<{ readonly action: "submit"; readonly reply: string }>
  | Cancelled;

export type FormResponse<TValues = AnyValues> =
  /** All values, including sensitive ones. */
  Saying<{ readonly action: "submit"; readonly values: TValues }> | Cancelled;

type Cancelled = Saying<{ readonly action: "cancel" } & Refusal>;

/** A person's response, checked against its request. */
export type PersonResponse = ApprovalResponse | QuestionResponse | FormResponse;
