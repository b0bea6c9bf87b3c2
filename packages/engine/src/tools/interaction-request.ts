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
import type { Awaitable, InteractionOutcome } from "./interaction-outcome.ts";
import type { ApprovalResponse, FormResponse, QuestionResponse } from "./person-response.ts";

interface RequestOptions<TResponse, TOutcome, TLate> {
  /** Who may answer. It can only narrow what the tool and the gateway's config say. */
  readonly responders?: ResponderPolicy;
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
  readonly onResponse?: (response: TResponse) => Awaitable<TOutcome>;
  /** Decides what becomes of there being no answer in time. Without it: `INTERACTION_TIMEOUT`. */
  readonly onTimeout?: () => Awaitable<TLate>;
  /** Told once when the call is cancelled while it waits. */
  readonly onCancel?: () => Awaitable<void>;
}

export interface ApprovalRequest<
  TOutcome = InteractionOutcome,
  TLate = InteractionOutcome,
> extends RequestOptions<ApprovalResponse, TOutcome, TLate> {
  readonly kind: "approval";
  readonly prompt?: string;
  /** What is approved, exactly. Default: the call's arguments. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** Where it would run. Default: the session's directory. */
  readonly cwd?: string;
  /** Default `once` and `session`. */
  readonly approvalScopes?: readonly ApprovalScope[];
  /** For each wider scope offered: what exactly it will cover. */
  readonly scopeText?: { readonly session?: Told; readonly always?: Told };
  readonly display?: ApprovalDisplay;
  /** The change of one file that this makes. */
  readonly change?: FileChange;
  /** Whether the person may change the input. Default false. */
  readonly editable?: boolean;
  readonly defaultToDeny?: boolean;
  /**
   * What an approval for longer covers: later calls of this tool that ask with the same key run without asking. Default:
   * a call with exactly the same arguments and `input` in the same directory. `null`: the gateway remembers nothing, and the
   * tool itself makes a wider scope true.
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

export interface FormRequest<
  TOutcome = InteractionOutcome,
  TLate = InteractionOutcome,
  TForm = FormInput,
> extends RequestOptions<FormResponse<ValuesOf<TForm>>, TOutcome, TLate> {
  readonly kind: "form";
  readonly prompt?: string;
  /** A zod object, the subset of JSON Schema that MCP elicitation has, or a list of fields. */
  readonly inputSchema: TForm;
  /** Titles of fields that each page says in its language, by the names of the fields; they stand in place of those of the schema. */
  readonly titles?: Readonly<Record<string, Told>>;
  /** Fields to ask first. */
  readonly order?: readonly string[];
  /** What the fields are filled with. After a reprompt by default what the person sent. */
  readonly initialValues?: Readonly<Record<string, unknown>>;
}

export type InteractionRequest = ApprovalRequest | QuestionRequest | FormRequest;
