import { ask, type AskCalls } from "holdpoint/client";

/** The part of a compiled LangGraph that this needs. */
interface Graph<TCommand> {
  invoke(
    input: unknown,
    config: { readonly configurable: { readonly thread_id: string } },
  ): Promise<{
    readonly __interrupt__?: readonly { readonly id?: string; readonly value?: unknown }[];
  }>;
  /** Such as `(resume) => new Command({ resume })`. */
  readonly toCommand: (resume: Readonly<Record<string, boolean>>) => TCommand;
}

/**
 * Runs a thread to its end. A person answers each `interrupt({ question })`, however long that takes: the checkpointer keeps
 * the thread, and the gateway keeps the answer. Nodes that wait in parallel each get their own answer.
 */
export async function runGraph<TCommand>(
  gateway: AskCalls,
  graph: Graph<TCommand>,
  { threadId, input }: { readonly threadId: string; readonly input: unknown },
): Promise<unknown> {
  const config = { configurable: { thread_id: threadId } };
  let result = await graph.invoke(input, config);
  for (;;) {
    const { __interrupt__: interrupts = [] } = result;
    if (interrupts.length === 0) return result;
    const answers = await Promise.all(
      interrupts.map(async ({ id, value }) => {
        if (id === undefined) throw new Error("This LangGraph gives its interrupts no ids.");
        const { question } = value as { question: string };
        const key = `graph ${threadId} ${id}`;
        const { status } = await ask(gateway, { label: "graph", prompt: question, key });
        return [id, status === "answered"] as const;
      }),
    );
    // By id: an answer without an id would be used for every waiting node.
    result = await graph.invoke(graph.toCommand(Object.fromEntries(answers)), config);
  }
}
