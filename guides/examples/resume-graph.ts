import { ask, type AskCalls } from "holdpoint/client";

/** As much of a compiled LangGraph as this needs. */
interface Graph<TCommand> {
  invoke(
    input: unknown,
    config: { readonly configurable: { readonly thread_id: string } },
  ): Promise<{
    readonly __interrupt__?: readonly { readonly id?: string; readonly value?: unknown }[];
  }>;
  /** Such as `(resume) => new Command({ resume })`. */
  readonly toCommand: (resume: unknown) => TCommand;
}

/**
 * Runs a thread to its end. What a node says with `interrupt({ question })` a person answers, however long that takes: the
 * checkpointer keeps the thread, and the gateway the answer.
 */
export async function runGraph<TCommand>(
  gateway: AskCalls,
  graph: Graph<TCommand>,
  { threadId, input }: { readonly threadId: string; readonly input: unknown },
): Promise<unknown> {
  const config = { configurable: { thread_id: threadId } };
  let result = await graph.invoke(input, config);
  for (let round = 0; ; round += 1) {
    const { __interrupt__: [interrupt] = [] } = result;
    if (!interrupt) return result;
    const { question } = interrupt.value as { question: string };
    const outcome = await ask(gateway, {
      label: "graph",
      prompt: question,
      key: `graph ${threadId} ${interrupt.id ?? round}`,
    });
    result = await graph.invoke(graph.toCommand(outcome.status === "answered"), config);
  }
}
