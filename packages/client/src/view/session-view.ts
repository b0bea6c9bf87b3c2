import type {
  AgentErrorCode,
  Attachment,
  Interaction,
  LimitedMode,
  QueuedMessage,
  SessionStatus,
  TurnEndReason,
  TurnUsage,
} from "@holdpoint/protocol";

/** The content of one session for a user interface. Immutable: unchanged parts keep their identity. */
export interface SessionView {
  readonly epoch?: string;
  /** The positions of the oldest and newest events in this view, or 0 without events. */
  readonly firstSeq: number;
  readonly lastSeq: number;
  /** Whether events before `firstSeq` exist that are not loaded yet. */
  readonly hasEarlier: boolean;
  readonly status: SessionStatus;
  /** The running turn. */
  readonly turnId?: string;
  /** Set while the agent's model does not respond and the agent retries on its own. */
  readonly isRetrying?: true;
  readonly title?: string;
  readonly permissionMode?: string;
  /** The mode that a person has allowed for a limited time. It need not be the current mode. */
  readonly limitedMode?: LimitedMode;
  /** The model chosen by a person. */
  readonly model?: string;
  /** The model that the agent has reported since that choice. */
  readonly activeModel?: string;
  /** In the order of the conversation. */
  readonly items: readonly ViewItem[];
  /** By id. Includes interactions whose item is not loaded. */
  readonly interactions: ReadonlyMap<string, Interaction>;
  /** The grants that let tool calls run without asking, by the key of the call. */
  readonly grantUses: ReadonlyMap<string, string>;
  readonly queue: readonly QueuedMessage[];
}

export type ViewItem =
  | {
      readonly type: "user_message";
      readonly key: string;
      readonly at: string;
      /** Empty if the message only has attachments. */
      readonly content: string;
      readonly attachments?: readonly Attachment[];
      readonly origin: "person" | "late_response";
      readonly interactionId?: string;
    }
  | {
      readonly type: "assistant_message";
      readonly key: string;
      readonly at?: string;
      readonly text: string;
      readonly channel: "text" | "thinking";
      /** Whether the message is still growing, built from deltas. */
      readonly streaming: boolean;
      readonly parentToolCallId?: string;
    }
  | ToolCallItem
  /** An interaction without a tool call in the view, or one that is presented separately. */
  | { readonly type: "interaction"; readonly key: string; readonly interactionId: string }
  /** A limited permission mode has ended. */
  | {
      readonly type: "mode_ended";
      readonly key: string;
      readonly at: string;
      readonly mode: string;
    }
  | {
      readonly type: "turn_end";
      readonly key: string;
      readonly at: string;
      readonly reason: Exclude<TurnEndReason, "done">;
    }
  /** The usage of a turn, at its end. */
  | {
      readonly type: "turn_usage";
      readonly key: string;
      readonly usage: TurnUsage;
    }
  | {
      readonly type: "error";
      readonly key: string;
      readonly at: string;
      readonly code: AgentErrorCode;
      readonly message: string;
      /** When a rate limit of the model's service ends. */
      readonly retryAt?: string;
    };

export interface ToolCallItem {
  readonly type: "tool_call";
  readonly key: string;
  readonly turnId?: string;
  readonly toolCallId: string;
  readonly toolName: string;
  /** Absent while the input is still growing. */
  readonly input?: Record<string, unknown>;
  /** The JSON text of the input so far, while it is growing. */
  readonly inputText?: string;
  readonly startedAt?: string;
  /** When a person last answered one of its interactions. */
  readonly answeredAt?: string;
  readonly endedAt?: string;
  readonly result?: {
    readonly content: string;
    readonly isError: boolean;
    /** Its pictures. */
    readonly attachments?: readonly Attachment[];
  };
  /** Set if the call did not run: a person's rule denied it without asking, or the agent itself refused it. */
  readonly isDenied?: true;
  /** The ids of its interactions, oldest first. */
  readonly interactionIds: readonly string[];
  readonly parentToolCallId?: string;
}
