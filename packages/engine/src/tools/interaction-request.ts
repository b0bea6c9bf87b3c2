import type {
  ApprovalDisplay,
  ApprovalScope,
  FileChange,
  Interaction,
  OptionPreview,
  ResponderPolicy,
  Told,
} from "@holdpoint/protocol";

import type { FormInput, ValuesOf } from "./form-values.ts";
import type {
  ApprovalResponse,
  FormResponse,
  PersonResponse,
  QuestionResponse,
} from "./person-response.ts";

interface RequestOptions<TResponse, TOutcome, TLate> {
  /** Who may answer. It can only narrow the policies of the tool and of the gateway's config. */
  readonly responders?: ResponderPolicy;
  /** How long the call waits. Default: the gateway's config. `Infinity`: without limit. */
  readonly timeoutMs?: number;
  /** Without `onTimeout`: whether a late answer still reaches the agent. Default `wait`: it does, as a message. */
  readonly onTimeoutPolicy?: "wait" | "deny";
  /** Where it is shown: inside the tool's block (the default), or as a separate block. */
  readonly presentation?: Interaction["presentation"];
  readonly completedView?: NonNullable<Interaction["completedView"]>;
  /**
   * When no client can answer: wait for one, or end after a grace period with `INTERACTION_UNAVAILABLE`. Default: the
   * gateway's config, where it is `wait`. If no person exists who could come, the request ends in either case.
   */
  readonly whenUnavailable?: "refuse" | "wait";
  /**
   * When everyone who could answer has left and stays away for the grace period: `deny` ends the wait with
   * `INTERACTION_UNAVAILABLE`. Default: the gateway's config, where it is `wait`.
   */
  readonly onDisconnect?: "wait" | "deny";
  /** Handles the response. Without it, `requestInteraction` resolves with the response itself. */
  readonly onResponse?: (response: TResponse) => Awaitable<TOutcome>;
  /** Handles a timeout. Without it, `requestInteraction` rejects with `INTERACTION_TIMEOUT`. */
  readonly onTimeout?: () => Awaitable<TLate>;
  /** Called once if the call is cancelled while it waits. */
  readonly onCancel?: () => Awaitable<void>;
}

export interface ApprovalRequest<
  TOutcome = InteractionOutcome,
  TLate = InteractionOutcome,
> extends RequestOptions<ApprovalResponse, TOutcome, TLate> {
  readonly kind: "approval";
  readonly prompt?: string;
  /** The exact subject of the approval. Default: the call's arguments. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** Where it would run. Default: the session's directory. */
  readonly cwd?: string;
  /** Default: `once` and `session`. */
  readonly approvalScopes?: readonly ApprovalScope[];
  /** The exact coverage of each lasting scope on offer. */
  readonly scopeText?: { readonly session?: Told; readonly always?: Told };
  readonly display?: ApprovalDisplay;
  /** The change to one file that the call makes. */
  readonly change?: FileChange;
  /** Whether the person may edit the input. Default: false. */
  readonly editable?: boolean;
  readonly defaultToDeny?: boolean;
  /**
   * The coverage of a lasting approval: later calls of this tool that ask with the same key run without asking.
   * Default: calls with exactly the same arguments and `input` in the same directory. `null`: the gateway remembers
   * nothing, and the tool has to apply wider scopes itself.
   */
  readonly grantKey?: string | null;
}

export interface QuestionRequest<
  TOutcome = InteractionOutcome,
  TLate = InteractionOutcome,
> extends RequestOptions<QuestionResponse, TOutcome, TLate> {
  readonly kind: "question";
  readonly prompt?: string;
  readonly questions: readonly QuestionInput[];
}

export interface QuestionInput {
  /** Default `q1`, `q2`, … */
  readonly id?: string;
  readonly question: string;
  /** A short label, by convention at most 12 characters. */
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

export interface FormRequest<
  TOutcome = InteractionOutcome,
  TLate = InteractionOutcome,
  TForm = FormInput,
> extends RequestOptions<FormResponse<ValuesOf<TForm>>, TOutcome, TLate> {
  readonly kind: "form";
  readonly prompt?: string;
  /** A zod object, the JSON Schema subset of MCP elicitation, or a list of fields. */
  readonly inputSchema: TForm;
  /** Titles by field name that each page translates. They replace the titles in the schema. */
  readonly titles?: Readonly<Record<string, Told>>;
  /** Fields to ask first. */
  readonly order?: readonly string[];
  /** Initial values of the fields. After a reprompt, the default is the values that the person sent. */
  readonly initialValues?: Readonly<Record<string, unknown>>;
}

export type InteractionRequest = ApprovalRequest | QuestionRequest | FormRequest;

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
