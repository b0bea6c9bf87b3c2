/** A tool as agents see it. */
export interface ToolInfo {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** What an agent gets for a call. */
export interface ToolCallResult {
  /** The value's JSON text. */
  readonly content: string;
  readonly isError: boolean;
  /** The value, where it is an object. */
  readonly structured?: Readonly<Record<string, unknown>>;
}

/** The gateway's tools as a server needs them. */
export interface ServedTools {
  /** The same array until the tools are replaced. */
  list(): readonly ToolInfo[];
  /** Runs a tool for a session's agent. A tool's failure is a result; never rejects for it. */
  call(request: ToolCallRequest, options: { readonly signal: AbortSignal }): ServedToolCall;
}

export interface ToolCallRequest {
  readonly sessionId: string;
  readonly toolCallId: string;
  readonly name: string;
  readonly args: unknown;
}

export interface ServedToolCall {
  readonly result: Promise<ToolCallResult>;
  /** Ends the call as queued if it waits for a person; the answer then comes another way. */
  finishAsQueued(): void;
}
