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
  /** The agent is to stop now. */
  readonly stopTurn?: true;
}

type Saying<TMore> = Omit<Said, keyof TMore> & TMore;

/** Nothing but `approve` is consent; a cancelled approval arrives as `deny`. */
export type ApprovalResponse =
  | Saying<{
      readonly action: "approve";
      /** The scope that was really applied. */
      readonly approvalScope: ApprovalScope;
      /** What may run: the input that was shown or the person's edit. Nothing else may. */
      readonly input: Readonly<Record<string, unknown>>;
    }>
  | Saying<{ readonly action: "deny" } & Refusal>;

export type QuestionResponse =
  /** One answer for each question, in their order. */
  | Saying<{ readonly action: "submit"; readonly answers: readonly Answer[] }>
  /** A free reply instead of answers. */
  | Saying<{ readonly action: "submit"; readonly reply: string }>
  | Cancelled;

export type FormResponse<TValues = AnyValues> =
  /** All values, also those of sensitive fields. */
  Saying<{ readonly action: "submit"; readonly values: TValues }> | Cancelled;

type Cancelled = Saying<{ readonly action: "cancel" } & Refusal>;

/** What a person said, checked against what was asked. */
export type PersonResponse = ApprovalResponse | QuestionResponse | FormResponse;
