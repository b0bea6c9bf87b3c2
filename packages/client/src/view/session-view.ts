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

/** What the interface draws of one session. Immutable: whatever did not change keeps its identity. */
export interface SessionView {
  readonly epoch?: string;
  /** The oldest and the newest event that this view was built from; 0 when it has none. */
  readonly firstSeq: number;
  readonly lastSeq: number;
  /** Events before `firstSeq` exist and were not loaded yet. */
  readonly hasEarlier: boolean;
  readonly status: SessionStatus;
  /** The turn that runs now. */
  readonly turnId?: string;
  /** The agent's model does not answer, and the agent tries again by itself. */
  readonly isRetrying?: true;
  readonly title?: string;
  readonly permissionMode?: string;
  /** The mode that a person has allowed for some time. It need not be the one that holds now. */
  readonly limitedMode?: LimitedMode;
  /** The model that a person has chosen. */
  readonly model?: string;
  /** The model that the agent has said it uses since that. */
  readonly activeModel?: string;
  /** In the order of the conversation. */
  readonly items: readonly ViewItem[];
  /** By id, also those whose item is not loaded. */
  readonly interactions: ReadonlyMap<string, Interaction>;
  /** By the key of a tool call: the grant that let it run without asking. */
  readonly grantUses: ReadonlyMap<string, string>;
  readonly queue: readonly QueuedMessage[];
}

export type ViewItem =
  | {
      readonly type: "user_message";
      readonly key: string;
      readonly at: string;
      /** Empty where there are attachments and nothing else. */
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
      /** Still growing: built from deltas. */
      readonly streaming: boolean;
      readonly parentToolCallId?: string;
    }
  | ToolCallItem
  /** An interaction whose tool call is not in the view, or that is presented on its own. */
  | { readonly type: "interaction"; readonly key: string; readonly interactionId: string }
  /** The time of a permission mode was over. */
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
  /** What a turn has used, at its end. */
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
      /** When a limit of the model's service ends. */
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
  /** The JSON text so far, while it grows. */
  readonly inputText?: string;
  readonly startedAt?: string;
  /** When a person answered what it asked last. */
  readonly answeredAt?: string;
  readonly endedAt?: string;
  readonly result?: { readonly content: string; readonly isError: boolean };
  /** A person's rule has denied it without asking, or its agent has refused it by itself: it has not run. */
  readonly isDenied?: true;
  /** Ids of what it asked, oldest first. */
  readonly interactionIds: readonly string[];
  readonly parentToolCallId?: string;
}
