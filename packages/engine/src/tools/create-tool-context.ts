import { maskSecrets } from "../lib/mask-secrets.ts";
import { ask } from "./ask.ts";
import type { InteractionRequest } from "./interaction-request.ts";
import { createToolApprovals } from "./tool-approvals.ts";
import type { ToolContext, ToolInteraction, ToolLog } from "./tool-context.ts";
import type { ToolRun } from "./tool-run.ts";

export function createToolContext(run: ToolRun): ToolContext {
  const { core, turn, toolCallId, toolName, signal } = run;
  const { sessionId, turnId, cwd, agent } = turn;
  return {
    sessionId,
    turnId,
    toolCallId,
    cwd,
    signal,
    requestInteraction: <TResult>(request: InteractionRequest<TResult>) => {
      const asked = ask(run, request);
      // A handler that does not await it must not bring the gateway down.
      asked.catch(() => undefined);
      return asked;
    },
    approvals: createToolApprovals(core, {
      sessionId,
      turnId,
      agent,
      toolName,
      toolCallId,
      signal,
      deciding: run.deciding,
      isDecidingAllowed: () => run.decidingAllowed > 0,
    }),
    interaction: createInteraction(run),
    log: createLog(run),
  };
}

function createInteraction({ core, signal }: ToolRun): ToolInteraction {
  return {
    get available() {
      return core.availability.available;
    },
    onChange(listener) {
      if (signal.aborted) return { [Symbol.dispose]: () => undefined };
      const listening = core.availability.onChange((available) => {
        try {
          listener(available);
        } catch (error: unknown) {
          core.onError(error, "tool");
        }
      });
      // The signal aborts at the end of every call.
      signal.addEventListener("abort", () => listening[Symbol.dispose](), { once: true });
      return listening;
    },
  };
}

function createLog({ core, turn, calls, toolName, toolCallId }: ToolRun): ToolLog {
  const { sessionId } = turn;
  const write = (level: keyof ToolLog) => (text: unknown) => {
    const message = maskSecrets(String(text), calls.secrets);
    core.onToolLog({ level, toolName, toolCallId, sessionId, message });
  };
  return { info: write("info"), warn: write("warn"), error: write("error") };
}
