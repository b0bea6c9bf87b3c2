import type {
  AgentCommand,
  AgentErrorCode,
  AgentInfo,
  AgentModel,
  ApprovalDisplay,
  ApprovalScope,
  AttachmentData,
  ErrorCode,
  FileChange,
  Interaction,
  InteractionResponse,
  Question,
  ResponderPolicy,
  Said,
  TurnUsage,
  Told,
} from "@holdpoint/protocol";

/** Presents one agent runtime as sessions and turns. */
export interface AgentAdapter extends AsyncDisposable {
  /**
   * Its agents are started elsewhere and only call tools. They are not offered, and people cannot send them messages.
   * Late answers reach them as turns.
   */
  readonly isPassive?: true;
  /** Its sessions can be parked: they implement `canResume`, `park` and `resumeTurn`. */
  readonly canPark?: true;
  /** By tool: the input field that contains a shell command. People's rules apply to these tools. */
  readonly commandFields?: Readonly<Record<string, string>>;
  /**
   * Why the agent's runtime would not run exactly this edit of a call, as an error for the person who made it;
   * `undefined` if it would. Called before the edit is accepted, even while no agent runs.
   */
  problemOfEdit?(edit: EditOfCall): string | undefined;
  /** The agent as it can be started here, or the reason why it cannot. Cheap enough to call for every page. */
  describe(options: { signal: AbortSignal }): Promise<AgentInfo>;
  /**
   * The agents that a previous gateway left to their hosts. They are frozen until `attachTurn` takes them over, and end
   * on their own otherwise. Call this once, before opening a session.
   */
  findLive?(): Promise<readonly LiveAgent[]>;
  /**
   * The choices that a person has in this session, or in a new session in the directory. May start the agent briefly,
   * which costs no tokens. Rejects when it cannot be started.
   */
  offers?(place: { readonly sessionId?: string; readonly cwd: string }): Promise<AgentOffers>;
  /** Prepares a session. Nothing with costs starts before its first turn. */
  openSession(options: OpenSessionOptions): Promise<AgentSession>;
}

export interface EditOfCall {
  readonly toolName: string;
  readonly editedInput: Readonly<Record<string, unknown>>;
  readonly input: Readonly<Record<string, unknown>>;
  /** `tool`: the edit goes to the handler of a gateway tool, and the runtime never sees it. */
  readonly askedBy: "agent" | "tool";
}

export interface AgentOffers {
  /** The agent's default comes first. */
  readonly models: readonly AgentModel[];
  readonly commands: readonly AgentCommand[];
}

export interface LiveAgent {
  readonly sessionId: string;
  /** The turn that the agent was in. */
  readonly turnId: string;
}

export interface OpenSessionOptions {
  readonly sessionId: string;
  readonly cwd: string;
  readonly permissionMode: string;
  readonly model?: string;
  /** The last value passed to `TurnContext.saveState`, to continue from. */
  readonly state?: string;
}

/** One conversation with an agent. Turns run one after another. Disposing ends the agent's process. */
export interface AgentSession extends AsyncDisposable {
  /**
   * Runs one turn and resolves when it has ended. An agent's failure is a result (`error`), not a rejection,
   * and leaves the session usable. When `context.signal` aborts, the turn is stopped and the result is `stopped`.
   */
  runTurn(message: TurnMessage, context: TurnContext): Promise<TurnResult>;
  /**
   * Continues a turn that a previous gateway began, for an agent that `findLive` returned. The agent's events since
   * then come once, in order. Requests that it still waits for come again, with the same tool call ids. If the previous
   * gateway died before it delivered the turn's message, the agent gets it now.
   */
  attachTurn?(context: TurnContext, record: TurnRecord): Promise<TurnResult>;
  /**
   * Whether the agent can be restarted at this tool call once its process has ended. Called while the call waits, and
   * after its process has died. Never rejects.
   */
  canResume?(toolCallId: string): Promise<boolean>;
  /**
   * The result of this tool call in the agent's own record. A success shows that the agent took the answer. An error
   * may come from a run, or from the runtime for a call that it could not make. Called after its process has ended.
   * Never rejects.
   */
  findResult?(toolCallId: string): Promise<"error" | "success" | undefined>;
  /**
   * Whether it is certain that this approved call has not acted: its approval never reached the agent, or everything that it
   * would change is as it was. Asked after the end of the process, for a call without a result. Never rejects.
   */
  hasNotActed?(approved: ApprovedCall): Promise<boolean>;
  /** Ends the process without answering its pending requests. The running turn ends as `parked`. */
  park?(): Promise<void>;
  /** Restarts the agent at a parked tool call: it asks again with the same tool call id, or calls the tool again. */
  resumeTurn?(toolCallId: string, context: TurnContext): Promise<TurnResult>;
  /** Leaves a waiting agent to its host, for the next gateway. The running turn never ends. */
  detach?(): Promise<void>;
  /** Takes effect at once, also inside a running turn. Rejects for a mode that the agent does not have. */
  setPermissionMode(mode: string): Promise<void>;
  /** Takes effect with the next turn at the latest. `undefined`: the agent's default. */
  setModel(model: string | undefined): Promise<void>;
}

export interface ApprovedCall {
  readonly interaction: Interaction;
  /** `HoldRequest.requestId` of the request that got the approval. */
  readonly requestId?: string;
}

export interface TurnMessage {
  readonly messageId: string;
  /** May be empty when there are attachments. */
  readonly content: string;
  /** Only if `describe` reports `takesAttachments`. */
  readonly attachments?: readonly AttachmentData[];
}

/** The log's record of a turn that a previous gateway began. */
export interface TurnRecord {
  /** The agent's events in the turn, in order, so that none is repeated. */
  readonly told: readonly AgentEvent[];
  /**
   * By `HoldRequest.requestId`: the tool calls that the agent has asked about and whose answers may not have reached
   * it.
   */
  readonly asked?: ReadonlyMap<string, string>;
  /** The message that began the turn. Resolves to `undefined` if there was none; rejects if the log cannot be read. */
  readonly readMessage: () => Promise<TurnMessage | undefined>;
}

export type TurnResult =
  | { readonly reason: "done" | "stopped" | "parked" }
  | {
      readonly reason: "error";
      readonly code: AgentErrorCode;
      readonly message: string;
      /** When a usage limit of the model's service ends. */
      readonly retryAt?: string;
      /** The agent is gone and never learned that its waits ended. Its requests stay open. */
      readonly isAgentLost?: true;
    };

/** An action of the agent. Events come in the agent's order, and each becomes one durable event. */
export type AgentEvent =
  | {
      readonly type: "assistant_message";
      readonly messageId: string;
      readonly text: string;
      readonly channel: "text" | "thinking";
      readonly parentToolCallId?: string;
    }
  | {
      readonly type: "tool_call";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly input: Record<string, unknown>;
      readonly parentToolCallId?: string;
    }
  | {
      readonly type: "tool_result";
      readonly toolCallId: string;
      readonly content: string;
      readonly isError: boolean;
      /** The pictures in the result, in Base64. Pictures that are not kept are named in `content`. */
      readonly pictures?: readonly string[];
      /** The agent refused the call itself, by a rule or its mode. It has not run. */
      readonly refused?: true;
    }
  | { readonly type: "error"; readonly code: AgentErrorCode; readonly message: string };

/** An addition to a growing text or tool input; `text` is the added part. */
export type AgentDelta =
  | {
      readonly type: "text_delta";
      readonly messageId: string;
      readonly channel: "text" | "thinking";
      readonly text: string;
      readonly parentToolCallId?: string;
    }
  | {
      readonly type: "tool_call_delta";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly text: string;
    };

/** An adapter's request to a person. The engine adds ids, digest, deadline and status. */
export type HoldRequest = {
  /** Unique among the calls of the turn, even if the agent's runtime reuses ids. */
  readonly toolCallId: string;
  /**
   * The runtime's own id of this request: unchanged when the request comes again to the next gateway, and never reused.
   */
  readonly requestId?: string;
  readonly toolName: string;
  readonly agentId?: string;
  /** The task of the sub-agent, in the agent's words. */
  readonly agentTask?: string;
  readonly prompt?: string;
  /** Who may answer. Each policy can only narrow the gateway's config. */
  readonly responders?: readonly ResponderPolicy[];
  /** How long to hold. Default: the gateway's config. */
  readonly timeoutMs?: number;
  /** Default `wait`. */
  readonly onTimeout?: "wait" | "deny";
  /** Where it is shown: inside the tool's block (the default), or as a separate block. */
  readonly presentation?: Interaction["presentation"];
  readonly completedView?: NonNullable<Interaction["completedView"]>;
  /** Set when the request is repeated: the previous round, the number of this attempt, and the errors found. */
  readonly previousId?: string;
  readonly attempt?: number;
  readonly error?: string;
  readonly fieldErrors?: Readonly<Record<string, string>>;
} & (
  | {
      readonly kind: "approval";
      readonly input: Record<string, unknown>;
      /** Where the call would run. Default: the session's directory. */
      readonly cwd?: string;
      readonly display: ApprovalDisplay;
      readonly change?: FileChange;
      readonly scopes: readonly ApprovalScope[];
      /** In the requester's own words, or as sayings, which each page translates. */
      readonly scopeText: { readonly session?: Told; readonly always?: Told };
      readonly editable: boolean;
      readonly defaultToDeny?: boolean;
      /**
       * The coverage of a lasting approval: later requests of the same agent and tool with this key, if they offer that
       * scope too. `defaultGrantKey` covers exactly this input in this directory. Without a key the gateway remembers
       * nothing, and the adapter has to apply wider scopes itself.
       */
      readonly grantKey?: string;
      /** Tools of one family share their grant keys, for example all tools that edit files. Default: no sharing. */
      readonly grantFamily?: string;
    }
  | { readonly kind: "question"; readonly questions: readonly Question[] }
  | { readonly kind: "form"; readonly form: FormRequest }
);

export interface FormRequest {
  /** MCP elicitation subset of JSON Schema; anything else is refused as `INVALID_REQUEST`. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** The gateway's own field titles by field name, for translation. The schema contains them in English. */
  readonly said?: Said;
  /** Fields to ask first. */
  readonly order?: readonly string[];
  /** Initial values of the fields, except sensitive or unknown fields. */
  readonly initialValues?: Readonly<Record<string, unknown>>;
  /** The MCP server that asks instead of the agent, and its request id. */
  readonly server?: { readonly name: string; readonly requestId: string };
  /** A page to open instead of fields to fill in. A misleading address is refused as `INVALID_REQUEST`. */
  readonly visit?: { readonly url: string };
}

export type HoldResult =
  | {
      readonly outcome: "answered";
      readonly interactionId: string;
      readonly response: InteractionResponse;
      /**
       * Approvals only: the input to run, which is the stored one or the person's stored edit, and never anything else
       * (R-6).
       */
      readonly input?: Record<string, unknown>;
      /** Submitted forms only: all values. Sensitive ones exist only here. */
      readonly values?: Readonly<Record<string, unknown>>;
      /**
       * Call this once the agent's next message shows that it took the response; it appends `interaction_delivered`.
       * With `unknown`: the response was handed over, but the agent was lost before it confirmed it.
       */
      delivered(knowledge?: "unknown"): Promise<void>;
    }
  /** The hold ended without an answer. Report this to the agent, and never make up an answer. */
  | {
      readonly outcome: "expired";
      readonly interactionId: string;
      readonly takesLateAnswer: boolean;
    }
  /** The turn was stopped, the session deleted, or the gateway refuses to ask. */
  | {
      readonly outcome: "withdrawn";
      readonly reason: string;
      /** Why the gateway refuses to ask, such as `TOO_MANY_PENDING`, or `INVALID_REQUEST` for an impossible form. */
      readonly code?: ErrorCode;
    };

export interface TurnContext {
  readonly turnId: string;
  /** Aborts when the turn is to stop. */
  readonly signal: AbortSignal;
  /** Resolves once the event is durable. Events keep the order of the calls, even when they are not awaited. */
  emit(event: AgentEvent): Promise<void>;
  /** Shows a growing text. Lost deltas are harmless, since the whole text follows as an event. */
  delta(delta: AgentDelta): void;
  /**
   * Asks a person and waits, for days if necessary. Never rejects because no one answers, and never resolves to consent
   * on its own. Resolves to `withdrawn` when `signal` (the runtime's own cancellation of this call) or the turn's
   * signal aborts; if the reason is a `RequestWithdrawn`, the person sees it.
   */
  hold(request: HoldRequest, options: { signal: AbortSignal }): Promise<HoldResult>;
  /**
   * Reports that the agent changed its permission mode itself, for example to plan, or because a person's approval
   * included the change. The session's mode follows, so that the shown mode is the effective one.
   */
  permissionModeChanged(mode: string): Promise<void>;
  /** Reports the model that the agent uses. Only changes need to be reported. */
  usesModel(model: string): Promise<void>;
  /**
   * Reports whether the agent's model currently does not respond and the agent retries. Assumed false until reported.
   */
  retrying(isRetrying: boolean): void;
  /** Reports usage of the turn, in addition to earlier reports. The sum is recorded at the end of the turn. */
  used(usage: TurnUsage): void;
  /** Saves the state that `OpenSessionOptions.state` returns after a restart. */
  saveState(state: string): Promise<void>;
}
