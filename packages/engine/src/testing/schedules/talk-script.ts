import type { HoldRequest, TurnContext } from "../../ports/agent-adapter.ts";
import { approval, never, question } from "../gateway-fixture.ts";
import type { TurnScript } from "../scripted-adapter.ts";

/** A text of an agent, in the agent's order. */
interface Saying {
  readonly text: string;
  /** The gateway confirmed that it was written. */
  isWritten: boolean;
  /** The gateway reported that it could not be written. */
  isRefused: boolean;
}

interface Answer {
  readonly kind: HoldRequest["kind"];
  /** The grant that allowed it without asking. */
  readonly grantId: string | undefined;
}

/** The texts and requests of one gateway's agents, as the agents know them. */
export class Transcript {
  /** Turn → its texts. */
  readonly sayings = new Map<string, Saying[]>();
  /** Ids of the tool calls that wait for a person. */
  readonly asking = new Set<string>();
  /** Tool call → its answer. */
  readonly answers = new Map<string, Answer>();

  add(turnId: string, text: string): Saying {
    const saying = { text, isWritten: false, isRefused: false };
    this.sayings.set(turnId, [...(this.sayings.get(turnId) ?? []), saying]);
    return saying;
  }
}

/**
 * An agent that makes as many requests at once as its message states: questions and, every second one, an approval
 * that may get a grant. It talks before, between and after them, and never waits until its text is written.
 */
export function createTalk(transcript: Transcript): TurnScript {
  return async ({ messageId, content }, context) => {
    const say = (text: string) => void emit(transcript, context, text);
    const ask = async (toolCallId: string, index: number) => {
      say(`asking ${toolCallId}`);
      transcript.asking.add(toolCallId);
      const request = toRequest(toolCallId, index);
      const asked = context.hold(request, { signal: never });
      say(`meanwhile ${toolCallId}`);
      const result = await asked;
      transcript.asking.delete(toolCallId);
      say(`heard ${toolCallId}`);
      if (result.outcome !== "answered") return;
      const { grantId } = result.response;
      transcript.answers.set(toolCallId, { kind: request.kind, grantId });
      await result.delivered();
      say(`went on after ${toolCallId}`);
    };
    say(`begins ${messageId}`);
    const prompts = /^\d$/.test(content) ? Number(content) : 0;
    const asks = Array.from({ length: prompts }, (_, index) => ask(`${messageId} ${index}`, index));
    await Promise.all(asks);
    say(`ends ${messageId}`);
    return { reason: context.signal.aborted ? "stopped" : "done" };
  };
}

function toRequest(toolCallId: string, index: number): HoldRequest {
  const tool = { toolName: "Talk", timeoutMs: Infinity };
  return index % 2 === 0
    ? question(toolCallId, tool)
    : approval(toolCallId, { ...tool, scopes: ["once", "session"], grantKey: "talk" });
}

async function emit(transcript: Transcript, context: TurnContext, text: string): Promise<void> {
  const saying = transcript.add(context.turnId, text);
  const messageId = `said ${text}`;
  await context.emit({ type: "assistant_message", messageId, text, channel: "text" }).then(
    () => (saying.isWritten = true),
    () => (saying.isRefused = true),
  );
}
