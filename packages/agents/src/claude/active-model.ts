import type { SDKMessage } from "@anthropic-ai/claude-agent-sdk";

/** What the runtime writes by itself is by no model. */
const NO_MODEL = "<synthetic>";

/** The model of the conversation itself, where a message says it. Sub-agents may use others. */
export function modelOf(message: SDKMessage): string | undefined {
  if (message.type === "system" && message.subtype === "init") return toName(message.model);
  if (message.type !== "assistant" || message.parent_tool_use_id !== null) return undefined;
  return toName(message.message.model);
}

function toName(model: string | undefined): string | undefined {
  return model === NO_MODEL || model === "" ? undefined : model;
}

/** The model that a person has chosen for a session, and the one that the runtime says it uses. */
export class SessionModel {
  #chosen: string | undefined;
  #active: string | undefined;

  /** Without a choice, the runtime's own. */
  constructor(chosen: string | undefined) {
    this.#chosen = chosen;
  }

  get chosen(): string | undefined {
    return this.#chosen;
  }

  /** It takes effect with the runtime's next answer, which says so. */
  choose(model: string | undefined): void {
    this.#chosen = model;
    this.#active = undefined;
  }

  /** The model that a message tells of, where it is another one; a command of the runtime's own can change it as well. */
  hear(message: SDKMessage): string | undefined {
    const model = modelOf(message);
    if (model === this.#active) return undefined;
    if (model !== undefined) this.#active = model;
    return model;
  }
}
