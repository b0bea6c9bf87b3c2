import type { AgentAdapter, HoldRequest, TurnContext } from "holdpoint/engine";

import type { Letter } from "./letter.ts";

const READERS = {
  friend: { label: "A friend", greeting: "Hi Ana,", closing: "All the best" },
  customer: { label: "A customer", greeting: "Dear Ms Moreno,", closing: "Kind regards" },
} as const;

/** An agent of the app's own: asks who will read the letter, then for leave to change it. */
export function createEditorAgent(letter: Letter): AgentAdapter {
  return {
    describe: async () => ({
      agent: "editor",
      label: "Editor",
      available: true,
      scripted: true,
      permissionModes: [{ mode: "default", label: "Ask before acting" }],
      defaultPermissionMode: "default",
      suggestedPrompts: ["Make it fit its reader"],
    }),
    openSession: async () => ({
      async runTurn({ messageId }, turn) {
        const text = await rewrite(letter, turn, messageId);
        await turn.emit({ type: "assistant_message", messageId, text, channel: "text" });
        return { reason: turn.signal.aborted ? "stopped" : "done" };
      },
      setPermissionMode: async () => {},
      setModel: async () => {},
      [Symbol.asyncDispose]: async () => {},
    }),
    [Symbol.asyncDispose]: async () => {},
  };
}

async function rewrite(letter: Letter, turn: TurnContext, id: string): Promise<string> {
  const asked = await hold(turn, {
    kind: "question",
    toolCallId: `${id}-reader`,
    toolName: "ask_reader",
    prompt: "Before I rewrite it",
    questions: [
      {
        id: "reader",
        header: "Reader",
        question: "Who will read this letter?",
        multiSelect: false,
        options: Object.entries(READERS).map(([id, { label }]) => ({ id, label })),
      },
    ],
  });
  const chosen = asked?.response.answers?.[0];
  const reader = READERS[chosen?.selected[0] as keyof typeof READERS] ?? READERS.customer;
  if (asked?.response.action !== "submit") return "Then I leave the letter as it is.";

  const lines = letter.read().split("\n");
  const after = [reader.greeting, ...lines.slice(1, -3), reader.closing, ...lines.slice(-2)].join(
    "\n",
  );
  const allowed = await hold(turn, {
    kind: "approval",
    toolCallId: `${id}-rewrite`,
    toolName: "rewrite_letter",
    input: { text: after },
    change: { path: "letter.txt", before: letter.read(), after },
    display: { title: `Rewrite it for ${chosen?.other ?? reader.label.toLowerCase()}` },
    scopes: ["once"],
    scopeText: {},
    editable: true,
  });
  if (allowed?.response.action !== "approve") return "The letter stays as it was.";
  // What was shown, or the person's edit of it; never what the agent would rather have.
  letter.write(String(allowed.input?.["text"]));
  return "The letter is rewritten.";
}

/** A tool call that waits for the person. Without an answer there is nothing to go on with. */
async function hold(turn: TurnContext, request: HoldRequest) {
  const { toolCallId, toolName } = request;
  const input = request.kind === "approval" ? request.input : {};
  await turn.emit({ type: "tool_call", toolCallId, toolName, input });
  const result = await turn.hold(request, { signal: turn.signal });
  const answered = result.outcome === "answered" ? result : undefined;
  await answered?.delivered();
  const content = answered?.response.action ?? result.outcome;
  await turn.emit({ type: "tool_result", toolCallId, content, isError: false });
  return answered;
}
