import type { SDKMessage } from "@anthropic-ai/claude-agent-sdk";

/** The runtime's model name for messages that no model has written. */
const NO_MODEL = "<synthetic>";

/** The main conversation's model, if the message names it. Sub-agents may use other models. */
export function modelOf(message: SDKMessage): string | undefined {
  if (message.type === "system" && message.subtype === "init") return toName(message.model);
  if (message.type !== "assistant" || message.parent_tool_use_id !== null) return undefined;
  return toName(message.message.model);
}

function toName(model: string | undefined): string | undefined {
  return model === NO_MODEL || model === "" ? undefined : model;
}

/** The model that a person has chosen for a session, and the model that the runtime reports. */
export class SessionModel {
  #chosen: string | undefined;
  #active: string | undefined;

  /** `undefined`: the runtime's own choice. */
  constructor(chosen: string | undefined) {
    this.#chosen = chosen;
  }

  get chosen(): string | undefined {
    return this.#chosen;
  }

  /** Takes effect with the runtime's next answer, which reports it. */
  choose(model: string | undefined): void {
    this.#chosen = model;
    this.#active = undefined;
  }

  /** The model in a message if it differs from the last one; the runtime's own commands can change it as well. */
  hear(message: SDKMessage): string | undefined {
    const model = modelOf(message);
    if (model === this.#active) return undefined;
    if (model !== undefined) this.#active = model;
    return model;
  }
}
