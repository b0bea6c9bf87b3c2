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

/** Turns one agent runtime into sessions and turns. */
export interface AgentAdapter extends AsyncDisposable {
  /**
   * Its agents are started elsewhere, and only call tools. They are not offered, and people cannot send them
   * messages; late answers they get as turns.
   */
  readonly isPassive?: true;
  /** Its sessions can be parked: they have `canResume`, `park` and `resumeTurn`. */
  readonly canPark?: true;
  /** By tool: the field of its input that holds a shell command. A person's rules decide about these tools. */
  readonly commandFields?: Readonly<Record<string, string>>;
  /**
   * Why the agent's runtime would not run exactly this edit of a call, as an error for the person who made it; `undefined` if
   * it would. Asked before the edit is accepted, also while no agent runs.
   */
  problemOfEdit?(edit: EditOfCall): string | undefined;
  /** What can be started here, and if not, why not. Cheap enough to call for every page. */
  describe(options: { signal: AbortSignal }): Promise<AgentInfo>;
  /**
   * The agents that a gateway before this one has left to their hosts. They are frozen until `attachTurn` takes them over;
   * those that are not taken over end by themselves. To be called once, before a session is opened.
   */
  findLive?(): Promise<readonly LiveAgent[]>;
  /**
   * What a person can choose in this session, or in one that would begin in the directory. May start the agent for a moment, which costs no tokens. Rejects when it
   * cannot be started.
   */
  offers?(place: { readonly sessionId?: string; readonly cwd: string }): Promise<AgentOffers>;
  /** Prepares a session; starts nothing that costs until its first turn. */
  openSession(options: OpenSessionOptions): Promise<AgentSession>;
}

export interface EditOfCall {
  readonly toolName: string;
  readonly editedInput: Readonly<Record<string, unknown>>;
  readonly input: Readonly<Record<string, unknown>>;
  /** `tool`: the handler of a gateway tool gets the edit, which the runtime never sees. */
  readonly askedBy: "agent" | "tool";
}

export interface AgentOffers {
  /** The agent's own choice first. */
  readonly models: readonly AgentModel[];
  readonly commands: readonly AgentCommand[];
}

export interface LiveAgent {
  readonly sessionId: string;
  /** The turn that it was in. */
  readonly turnId: string;
}

export interface OpenSessionOptions {
  readonly sessionId: string;
  readonly cwd: string;
  readonly permissionMode: string;
  readonly model?: string;
  /** What `TurnContext.saveState` kept last: go on from there. */
  readonly state?: string;
}

/** One conversation with an agent. Turns run one after the other. Disposing ends the agent's process. */
export interface AgentSession extends AsyncDisposable {
  /**
   * Runs one turn and resolves when it has ended. An agent's failure is a result (`error`), not a rejection,
   * and leaves the session usable. When `context.signal` aborts, the turn is stopped and the result is `stopped`.
   */
  runTurn(message: TurnMessage, context: TurnContext): Promise<TurnResult>;
  /**
   * Goes on with a turn that a gateway before this one began, for an agent that `findLive` has named. What the agent did
   * meanwhile comes once, in order. What it still waits for it asks again, by the same tool call ids. An agent whose gateway
   * died before it had the turn's message gets that now.
   */
  attachTurn?(context: TurnContext, record: TurnRecord): Promise<TurnResult>;
  /**
   * Whether the agent, once its process has ended, could be started again at this tool call. Asked while the call waits,
   * and after a death of its process. Never rejects.
   */
  canResume?(toolCallId: string): Promise<boolean>;
  /**
   * The result of this tool call in the agent's own record. A success shows that the agent took the answer. An error may be
   * that of a run, or the runtime's own for a call that it could not make. Asked after the end of its process. Never rejects.
   */
  findResult?(toolCallId: string): Promise<"error" | "success" | undefined>;
  /** Ends the process without an answer to what it waits for. The running turn ends as `parked`. */
  park?(): Promise<void>;
  /** Starts the agent again at a parked tool call: it asks again, by the same tool call id, or calls the tool again. */
  resumeTurn?(toolCallId: string, context: TurnContext): Promise<TurnResult>;
  /** Leaves a waiting agent to its host, for the next gateway. The running turn never ends. */
  detach?(): Promise<void>;
  /** Takes effect at once, also inside a running turn. Rejects for a mode that the agent does not have. */
  setPermissionMode(mode: string): Promise<void>;
  /** Takes effect with the next turn at the latest. Undefined: the agent's own choice. */
  setModel(model: string | undefined): Promise<void>;
}

export interface TurnMessage {
  readonly messageId: string;
  /** May be empty when there are attachments. */
  readonly content: string;
  /** Only where `describe` says `takesAttachments`. */
  readonly attachments?: readonly AttachmentData[];
}

/** What the log has of a turn that a gateway before this one began. */
export interface TurnRecord {
  /** What the agent did in it, in order, so that nothing comes twice. */
  readonly told: readonly AgentEvent[];
  /** By `HoldRequest.requestId`: the calls that the agent has asked about, as far as the answers need not have reached it. */
  readonly asked?: ReadonlyMap<string, string>;
  /** The message that began it. Resolves to undefined where no message did; rejects if the log cannot be read. */
  readonly readMessage: () => Promise<TurnMessage | undefined>;
}

export type TurnResult =
  | { readonly reason: "done" | "stopped" | "parked" }
  | {
      readonly reason: "error";
      readonly code: AgentErrorCode;
      readonly message: string;
      /** When a limit of the model's service ends. */
      readonly retryAt?: string;
      /** The agent is gone, and never heard that its waits ended: what it asked stays open. */
      readonly isAgentLost?: true;
    };

/** What the agent did, in its own order; each becomes one durable event. */
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
      /** The agent refused the call by itself, by a rule or its mode: it has not run. */
      readonly refused?: true;
    }
  | { readonly type: "error"; readonly code: AgentErrorCode; readonly message: string };

/** A growing piece of text or of a tool's input; `text` is what was added. */
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

/** What an adapter asks of a person. The engine adds ids, digest, deadline and status. */
export type HoldRequest = {
  /** Names no other call of the turn, whatever ids the agent's runtime uses again. */
  readonly toolCallId: string;
  /** The runtime's own id of this request: the same where it comes again to the next gateway, and never used for another. */
  readonly requestId?: string;
  readonly toolName: string;
  readonly agentId?: string;
  /** What the sub-agent was started for, in the agent's words. */
  readonly agentTask?: string;
  readonly prompt?: string;
  /** Who may answer. Each of them can only narrow what the gateway's config says. */
  readonly responders?: readonly ResponderPolicy[];
  /** How long to hold; default from the gateway's config. */
  readonly timeoutMs?: number;
  /** Default `wait`. */
  readonly onTimeout?: "wait" | "deny";
  /** Where it is shown: inside the tool's block, which is the default, or as a separate block. */
  readonly presentation?: Interaction["presentation"];
  readonly completedView?: NonNullable<Interaction["completedView"]>;
  /** Asked again: the round before, how many this makes, and what was wrong. */
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
      /** In the asker's own words, or as sayings, which each page says in its language. */
      readonly scopeText: { readonly session?: Told; readonly always?: Told };
      readonly editable: boolean;
      readonly defaultToDeny?: boolean;
      /**
       * What an approval for longer covers: later requests of the same agent and tool with this key, as long as they
       * offer that scope too. `defaultGrantKey` covers exactly this input in this directory. Without a key the gateway
       * remembers nothing, and the adapter itself makes a wider scope true.
       */
      readonly grantKey?: string;
      /** Tools of one family, such as all that edit files, share their keys. Default: the tool shares with none. */
      readonly grantFamily?: string;
    }
  | { readonly kind: "question"; readonly questions: readonly Question[] }
  | { readonly kind: "form"; readonly form: FormRequest }
);

export interface FormRequest {
  /** MCP elicitation subset of JSON Schema; anything else is refused as `INVALID_REQUEST`. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** The titles that the gateway itself says, by the names of the fields; the schema has their English. */
  readonly said?: Said;
  /** Fields to ask first. */
  readonly order?: readonly string[];
  /** What the fields are filled with. Values of sensitive or unknown fields are left out. */
  readonly initialValues?: Readonly<Record<string, unknown>>;
  /** The MCP server that asks, instead of the agent, and the id of its request. */
  readonly server?: { readonly name: string; readonly requestId: string };
  /** A page to open instead of fields to fill in; an address that misleads is refused as `INVALID_REQUEST`. */
  readonly visit?: { readonly url: string };
}

export type HoldResult =
  | {
      readonly outcome: "answered";
      readonly interactionId: string;
      readonly response: InteractionResponse;
      /** Approvals: what to run, the stored input or the person's stored edit. Never anything else. */
      readonly input?: Record<string, unknown>;
      /** Forms that were submitted: all values. Those of sensitive fields stand here and nowhere else. */
      readonly values?: Readonly<Record<string, unknown>>;
      /**
       * To be called once the agent has taken the response, as its next message shows; appends `interaction_delivered`. With
       * `unknown`: it was handed over, and the agent was lost before it showed that it had it.
       */
      delivered(knowledge?: "unknown"): Promise<void>;
    }
  /** Holding ended without an answer. Tell the agent so; never make one up. */
  | {
      readonly outcome: "expired";
      readonly interactionId: string;
      readonly takesLateAnswer: boolean;
    }
  /** The turn was stopped, the session deleted, or the gateway refuses to ask. */
  | {
      readonly outcome: "withdrawn";
      readonly reason: string;
      /** Why the gateway refuses to ask, such as `TOO_MANY_PENDING`, or `INVALID_REQUEST` for a form that cannot be. */
      readonly code?: ErrorCode;
    };

export interface TurnContext {
  readonly turnId: string;
  /** Aborts when the turn is to stop. */
  readonly signal: AbortSignal;
  /** Resolves once the event is durable. Events keep the order of the calls, also without awaiting them. */
  emit(event: AgentEvent): Promise<void>;
  /** Shows what is growing; lost deltas do no harm, since the whole follows as an event. */
  delta(delta: AgentDelta): void;
  /**
   * Asks a person and waits: for days if need be. Never rejects for silence; never resolves to consent by itself.
   * When `signal` (the runtime's own cancellation of this one call) or the turn's aborts: `withdrawn`; with a
   * `NoLongerAsked` as the reason, the person reads it.
   */
  hold(request: HoldRequest, options: { signal: AbortSignal }): Promise<HoldResult>;
  /**
   * The agent has changed its permission mode by itself, such as to plan, or because a person's approval said so.
   * The session's mode follows, so that what is shown is what holds.
   */
  permissionModeChanged(mode: string): Promise<void>;
  /** The agent says that it uses this model. Only a change needs to be told. */
  usesModel(model: string): Promise<void>;
  /** Whether the agent's model does not answer now and the agent tries again by itself. Until it is told otherwise, it does answer. */
  retrying(isRetrying: boolean): void;
  /** The turn has used this, besides what was told before. It stands at the end of the turn. */
  used(usage: TurnUsage): void;
  /** Keeps what `OpenSessionOptions.state` will bring back after a restart. */
  saveState(state: string): Promise<void>;
}
