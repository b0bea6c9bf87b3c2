import type { Clock } from "@holdpoint/engine";
import type { CallToolResult, Tool } from "@modelcontextprotocol/server";

import type { ServedTools } from "./served-tools.ts";

/** The tool for fetching late answers, for agents that the gateway did not start. */
export const GET_ANSWERS: Tool = {
  name: "get_answers",
  description:
    "Returns people's answers to your calls that ended with the status `queued`, and the calls that still wait. The same answers come as often as you ask. With `wait` it returns when there is a new answer, or after some time.",
  inputSchema: {
    type: "object",
    properties: {
      wait: { type: "boolean", description: "True to wait for the next answer." },
    },
  },
  annotations: { readOnlyHint: true },
};

/** Interval of looking for the next message. */
const LOOK_MS = 500;
/** After one message is taken, the next is ready within a moment. */
const NEXT_MS = 50;
const MAX_TAKEN = 20;

export interface GetAnswersOptions {
  readonly tools: ServedTools;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly sessionId: string;
  /** The longest wait, in milliseconds; absent: without a limit. */
  readonly limitMs: number | undefined;
  /** Takes the next message for the agent, which counts as delivered then. */
  readonly takeMessage: () => Promise<string | undefined>;
}

/** Returns the new messages, the pending requests and the earlier answers. Never answers for a person. */
export async function getAnswers(
  args: Readonly<Record<string, unknown>>,
  options: GetAnswersOptions,
): Promise<CallToolResult> {
  const { tools, sessionId } = options;
  const taken = await takeAll(options);
  if (args["wait"] === true && taken.length === 0) {
    taken.push(...(await waitForOne(options)));
  }
  const { waiting, answers } = await tools.lateAnswers(sessionId);
  const isNew = new Set(taken);
  const structured = {
    new: taken,
    waiting: [...waiting],
    earlier: answers.map(({ text }) => text).filter((text) => !isNew.has(text)),
  };
  return {
    content: [{ type: "text", text: JSON.stringify(structured) }],
    structuredContent: structured,
  };
}

async function waitForOne(options: GetAnswersOptions): Promise<string[]> {
  const { clock, signal, limitMs = Infinity, tools, sessionId } = options;
  for (let waitedMs = 0; waitedMs < limitMs && !signal.aborted; waitedMs += LOOK_MS) {
    if (waitedMs === 0 && (await tools.lateAnswers(sessionId)).waiting.length === 0) return [];
    await clock.sleep(LOOK_MS, { signal }).catch(() => undefined); // gave up waiting
    const taken = await takeAll(options);
    if (taken.length > 0) return taken;
  }
  return [];
}

async function takeAll({ takeMessage, clock, signal }: GetAnswersOptions): Promise<string[]> {
  const taken: string[] = [];
  while (taken.length < MAX_TAKEN && !signal.aborted) {
    if (taken.length > 0) await clock.sleep(NEXT_MS, { signal }).catch(() => undefined);
    const message = await takeMessage();
    if (message === undefined) break;
    taken.push(message);
  }
  return taken;
}
