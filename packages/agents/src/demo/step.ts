import type { HoldRequest } from "@holdpoint/engine";
import type { Question } from "@holdpoint/protocol";

/** One step of the demo agent. A script is a list of steps; the result of a wait chooses the steps after it. */
export type Step =
  | { readonly kind: "say"; readonly text: string }
  | ActStep
  | FormStep
  | GatewayToolStep
  /** All steps at once; the steps that follow from them run one after the other. */
  | { readonly kind: "together"; readonly steps: readonly ActStep[] }
  | { readonly kind: "fail"; readonly message: string };

export type ActStep = AskStep | EditStep;

export interface AskStep {
  readonly kind: "ask";
  readonly prompt: string;
  readonly questions: readonly Question[];
  next(result: AskResult): readonly Step[];
}

export type DemoForm = Extract<HoldRequest, { kind: "form" }>["form"];

export interface FormStep {
  readonly kind: "form";
  readonly prompt: string;
  readonly form: DemoForm;
  next(result: FormResult): readonly Step[];
}

/** A call of a tool that the gateway runs, and that asks a person itself. */
export interface GatewayToolStep {
  readonly kind: "gateway_tool";
  readonly toolName: string;
  readonly input: Readonly<Record<string, unknown>>;
  next(result: GatewayToolResult): readonly Step[];
}

export interface EditStep {
  readonly kind: "edit";
  /** Name of a file in the scratch folder. */
  readonly file: string;
  readonly title: string;
  readonly description: string;
  /** `before` is `undefined` if the file does not exist yet. */
  change(before: string | undefined): FileEdit;
  next(result: EditResult): readonly Step[];
}

/** `EditFile` replaces `find`, which must occur exactly once, by `replace`. */
export type FileEdit =
  | { readonly toolName: "WriteFile"; readonly content: string }
  | { readonly toolName: "EditFile"; readonly find: string; readonly replace: string };

/** One answer with the texts of its options. */
export interface AnswerInWords {
  readonly question: Question;
  readonly labels: readonly string[];
  readonly optionIds: readonly string[];
  readonly other?: string;
}

/** Results shared by questions, forms and approvals that got no answer. */
export type NoAnswer =
  | { readonly outcome: "unanswered"; readonly takesLateAnswer: boolean }
  | { readonly outcome: "refused"; readonly reason: string };

export type AskResult =
  | { readonly outcome: "answered"; readonly answers: readonly AnswerInWords[] }
  | { readonly outcome: "replied"; readonly reply: string }
  | { readonly outcome: "cancelled"; readonly reason?: string }
  | NoAnswer;

export type FormResult =
  | { readonly outcome: "submitted"; readonly values: Readonly<Record<string, unknown>> }
  | { readonly outcome: "cancelled"; readonly reason?: string }
  | NoAnswer;

export interface GatewayToolResult {
  /** JSON, or why there is none. */
  readonly content: string;
  readonly isError: boolean;
}

export type EditResult =
  | { readonly outcome: "edited"; readonly because: EditPermission }
  | { readonly outcome: "denied"; readonly reason?: string }
  | { readonly outcome: "failed"; readonly message: string }
  | NoAnswer;

/**
 * `approved`: as requested; `changed`: with the person's edit; `session`: by an approval for the session; `mode`: by
 * the permission mode.
 */
export type EditPermission = "approved" | "changed" | "session" | "mode";
