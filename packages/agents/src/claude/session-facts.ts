import type { PermissionMode, SDKMessage, SDKResultMessage } from "@anthropic-ai/claude-agent-sdk";

import { SessionModel } from "./active-model.ts";
import type { ClaudeProcess } from "./claude-process.ts";
import type { ClaudeTurn } from "./claude-turn.ts";
import { Conversation } from "./conversation.ts";
import { SessionMode } from "./session-mode.ts";
import type { ClaudeSessionOptions } from "./session-options.ts";

/** The turn and the process in which a message arrived. */
interface Hearing {
  readonly turn: ClaudeTurn;
  readonly process: ClaudeProcess;
  /** The mode of the call that the turn resumes, until the call has its result. */
  readonly resumedMode: PermissionMode | undefined;
}

/**
 * A session's mode, model and conversation, as reported by the runtime: keeps them and passes changes to the engine.
 */
export class SessionFacts {
  readonly mode: SessionMode;
  readonly model: SessionModel;
  readonly conversation: Conversation;
  readonly #onFault: (turn: ClaudeTurn, error: unknown) => void;

  /** `onFault` is called when the engine rejects a change. */
  constructor(
    { mode, model, state }: Pick<ClaudeSessionOptions, "mode" | "model" | "state">,
    onFault: (turn: ClaudeTurn, error: unknown) => void,
  ) {
    this.mode = new SessionMode(mode);
    this.model = new SessionModel(model);
    this.conversation = new Conversation(state);
    this.#onFault = onFault;
  }

  /** Takes the permission mode, the model and the conversation's id from a message, if it has them. */
  hear(message: SDKMessage, hearing: Hearing): void {
    const { turn } = hearing;
    if (message.type === "system" && message.subtype === "status" && message.permissionMode) {
      this.#followMode(message.permissionMode, hearing);
    }
    if (message.type === "system" && message.subtype === "init") {
      if (this.conversation.take(message.session_id)) this.#save(turn);
    }
    const model = this.model.hear(message);
    if (model !== undefined) this.#tell(turn, turn.context.usesModel(model));
  }

  /** Takes the counts at the end of a turn. */
  count(result: SDKResultMessage, turn: ClaudeTurn): void {
    const counted = this.conversation.count(result);
    if (counted === undefined) return;
    if (counted.used) turn.context.used(counted.used);
    this.#save(turn);
  }

  #followMode(reported: PermissionMode, { turn, process, resumedMode }: Hearing): void {
    const { mode, isRefused } = this.mode.judge(reported);
    // Until the process has switched, the hook before each tool asks.
    if (isRefused) process.setPermissionMode(mode).catch(() => undefined);
    if (mode === this.mode.current || mode === resumedMode) return;
    this.mode.follow(mode);
    this.#tell(turn, turn.context.permissionModeChanged(mode));
  }

  #save(turn: ClaudeTurn): void {
    this.#tell(turn, turn.context.saveState(String(this.conversation)));
  }

  #tell(turn: ClaudeTurn, told: Promise<unknown>): void {
    told.catch((error: unknown) => this.#onFault(turn, error));
  }
}
