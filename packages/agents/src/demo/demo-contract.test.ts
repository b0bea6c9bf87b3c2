import type { AgentAdapter, AgentSession } from "@holdpoint/engine";
import { describeAdapterContract, type AgentBehaviour } from "@holdpoint/engine/testing";

import { PROMPTS } from "./prompts.ts";
import { openDemo } from "./testing/open-demo.ts";

const PROMPT_OF: Record<AgentBehaviour, string> = {
  say_text: "Hello, who are you?",
  ask_question: PROMPTS.questions,
  run_tool: PROMPTS.edit,
  run_three_tools: PROMPTS.threeEdits,
  fail: PROMPTS.failure,
};

describeAdapterContract("demo", async () => {
  const ran: Record<string, unknown>[] = [];
  const heard: string[] = [];
  const demo = await openDemo({ onToolRun: ({ input }) => ran.push(input) });
  return {
    adapter: overhear(demo.adapter, (content) => heard.push(content)),
    cwd: demo.folder,
    prompt: (behaviour) => PROMPT_OF[behaviour],
    heard: () => heard,
    ranWith: () => ran,
    edit: (input) => ({ ...input, replace: "- [ ] Sleep on it" }),
    [Symbol.asyncDispose]: () => demo[Symbol.asyncDispose](),
  };
});

/** The demo agent knows a tool call only through its result. */
function overhear(adapter: AgentAdapter, hear: (content: string) => void): AgentAdapter {
  const wrap = (session: AgentSession): AgentSession => ({
    runTurn: (message, context) =>
      session.runTurn(message, {
        turnId: context.turnId,
        signal: context.signal,
        delta: (delta) => context.delta(delta),
        hold: (request, options) => context.hold(request, options),
        usesModel: (model) => context.usesModel(model),
        retrying: (isRetrying) => context.retrying(isRetrying),
        used: (usage) => context.used(usage),
        permissionModeChanged: (mode) => context.permissionModeChanged(mode),
        saveState: (state) => context.saveState(state),
        emit: (event) => {
          if (event.type === "tool_result") hear(event.content);
          return context.emit(event);
        },
      }),
    setPermissionMode: (mode) => session.setPermissionMode(mode),
    setModel: (model) => session.setModel(model),
    [Symbol.asyncDispose]: () => session[Symbol.asyncDispose](),
  });
  return {
    describe: (options) => adapter.describe(options),
    openSession: async (options) => wrap(await adapter.openSession(options)),
    [Symbol.asyncDispose]: () => adapter[Symbol.asyncDispose](),
  };
}
