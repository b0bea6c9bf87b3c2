import type {
  Answer,
  ApprovalDisplay,
  ApprovalScope,
  FileChange,
  Interaction,
  OptionPreview,
  Responder,
  ResponseAction,
} from "@holdpoint/protocol";

import type { FormFields } from "./form-fields.ts";

/** What a handler makes of a response, or of there being none. */
export type InteractionOutcome<TResult> =
  /** `requestInteraction` resolves with it. */
  | { readonly complete: TResult }
  /** Asks again, at most 5 times. */
  | { readonly reprompt: Reprompt<TResult> }
  /**
   * The tool call ends as queued. Without an answer the question stays open, for days if need be, and its answer reaches
   * the agent as a message; after an answer, that answer does.
   */
  | { readonly pending: { readonly message: string } };

/** What changes in the next round; everything else stays as it was, handlers included. */
export type Reprompt<TResult> = Partial<
  Omit<ApprovalRequest<TResult>, "kind"> &
    Omit<QuestionRequest<TResult>, "kind"> &
    Omit<FormRequest<TResult>, "kind">
> & {
  readonly kind?: Interaction["kind"];
  /** What was wrong with the whole. */
  readonly error?: string;
  /** Field → what was wrong with it. */
  readonly fieldErrors?: Readonly<Record<string, string>>;
};

/** What a person said, checked against what was asked. */
export interface PersonResponse {
  readonly interactionId: string;
  /** A cancelled approval arrives as `deny`; nothing but `approve` is consent. */
  readonly action: ResponseAction;
  /** Approvals: the scope that was really applied. */
  readonly approvalScope?: ApprovalScope;
  /** Approvals that were approved: what may run, the input that was shown or the person's edit. Nothing else may. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** Questions: one for each, in their order. */
  readonly answers?: readonly Answer[];
  /** Questions: a free reply instead of answers. */
  readonly reply?: string;
  /** Forms: all values, also those of sensitive fields. */
  readonly values?: Readonly<Record<string, unknown>>;
  readonly reason?: string;
  readonly by?: Responder;
}

type Awaitable<T> = T | Promise<T>;

interface RequestOptions<TResult> {
  /** How long the call waits. Default from the gateway's config; `Infinity`: without end. */
  readonly timeoutMs?: number;
  /** Without `onTimeout`: whether a late answer still reaches the agent. Default `wait`: it does, as a message. */
  readonly onTimeoutPolicy?: "wait" | "deny";
  /** Where it is shown: inside the tool's block, which is the default, or as a separate block. */
  readonly presentation?: Interaction["presentation"];
  readonly completedView?: NonNullable<Interaction["completedView"]>;
  /**
   * When no client can answer: wait for one, or end after a grace with `INTERACTION_UNAVAILABLE`. Default from the gateway's
   * config, there `wait`. It ends so in any case when there is no person who could come.
   */
  readonly whenUnavailable?: "refuse" | "wait";
  /**
   * When everybody who could answer has left, and stays away for the grace: `deny` ends the wait with
   * `INTERACTION_UNAVAILABLE`. Default from the gateway's config, there `wait`.
   */
  readonly onDisconnect?: "wait" | "deny";
  /** Decides what becomes of the response. Without it `requestInteraction` resolves with the response itself. */
  readonly onResponse?: (response: PersonResponse) => Awaitable<InteractionOutcome<TResult>>;
  /** Decides what becomes of there being no answer in time. Without it: `INTERACTION_TIMEOUT`. */
  readonly onTimeout?: () => Awaitable<InteractionOutcome<TResult>>;
  /** Told once when the call is cancelled while it waits. */
  readonly onCancel?: () => Awaitable<void>;
}

export interface ApprovalRequest<TResult = unknown> extends RequestOptions<TResult> {
  readonly kind: "approval";
  readonly prompt?: string;
  /** What is approved, exactly. Default: the call's arguments. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** Default `once` and `session`. */
  readonly approvalScopes?: readonly ApprovalScope[];
  /** For each wider scope offered: what exactly it will cover. */
  readonly scopeText?: { readonly session?: string; readonly always?: string };
  readonly display?: ApprovalDisplay;
  /** The change of one file that this makes. */
  readonly change?: FileChange;
  /** Whether the person may change the input. Default false. */
  readonly editable?: boolean;
  readonly defaultToDeny?: boolean;
  /**
   * What an approval for longer covers: later calls of this tool that ask with the same key run without asking. Default:
   * a call with exactly the same arguments and `input` in the same directory.
   */
  readonly grantKey?: string;
}

export interface QuestionRequest<TResult = unknown> extends RequestOptions<TResult> {
  readonly kind: "question";
  readonly prompt?: string;
  readonly questions: readonly QuestionInput[];
}

export interface QuestionInput {
  /** Default `q1`, `q2`, … */
  readonly id?: string;
  readonly question: string;
  /** A chip, at most 12 characters by convention. */
  readonly header?: string;
  readonly multiSelect?: boolean;
  readonly options: readonly (string | OptionInput)[];
}

export interface OptionInput {
  /** Default `o1`, `o2`, … */
  readonly id?: string;
  readonly label: string;
  readonly description?: string;
  readonly preview?: OptionPreview;
}

export interface FormRequest<TResult = unknown> extends RequestOptions<TResult> {
  readonly kind: "form";
  readonly prompt?: string;
  /** MCP elicitation subset of JSON Schema, or a list of fields. */
  readonly inputSchema: Readonly<Record<string, unknown>> | FormFields;
  /** Fields to ask first. */
  readonly order?: readonly string[];
  /** What the fields are filled with. After a reprompt by default what the person sent. */
  readonly initialValues?: Readonly<Record<string, unknown>>;
}

export type InteractionRequest<TResult = unknown> =
  | ApprovalRequest<TResult>
  | QuestionRequest<TResult>
  | FormRequest<TResult>;
