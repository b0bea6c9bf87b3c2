import { maskSecrets } from "../lib/mask-secrets.ts";
import type { Availabilities } from "../presence/availabilities.ts";
import { ask } from "./ask.ts";
import type { InteractionRequest } from "./interaction-request.ts";
import type { RoundParts } from "./round.ts";
import type { RunningCall } from "./running-call.ts";
import { createToolApprovals, type ToolApprovalsParts } from "./tool-approvals.ts";
import type {
  RequestInteraction,
  ToolContext,
  ToolInteraction,
  ToolLog,
  ToolLogEntry,
} from "./tool-context.ts";

export interface ToolContextParts extends RoundParts, ToolApprovalsParts {
  readonly availability: Availabilities;
  readonly onToolLog: (entry: ToolLogEntry) => void;
}

/** The context for the handler of a call. */
export function createToolContext(parts: ToolContextParts, call: RunningCall): ToolContext {
  const { sessionId, toolCallId, signal, turn } = call;
  const { turnId, cwd } = turn;
  return {
    sessionId,
    turnId,
    toolCallId,
    cwd,
    signal,
    requestInteraction: ((request: InteractionRequest) => {
      const asked = ask(parts, call, request);
      // A handler that does not await this must not crash the gateway.
      asked.catch(() => undefined);
      return asked;
    }) as RequestInteraction,
    approvals: createToolApprovals(parts, call),
    interaction: createToolInteraction(parts, call),
    log: createLog(parts, call),
  };
}

function createToolInteraction(
  { availability: availabilities, onError }: ToolContextParts,
  { signal, sessionId }: RunningCall,
): ToolInteraction {
  const availability = availabilities.of(sessionId);
  return {
    get available() {
      return availability.available;
    },
    onChange(listener) {
      if (signal.aborted) return { [Symbol.dispose]: () => undefined };
      const listening = availability.onChange((available) => {
        try {
          listener(available);
        } catch (error: unknown) {
          onError(error, "tool");
        }
      });
      // The signal aborts at the end of every call.
      signal.addEventListener("abort", () => listening[Symbol.dispose](), { once: true });
      return listening;
    },
  };
}

function createLog({ onToolLog }: ToolContextParts, call: RunningCall): ToolLog {
  const { sessionId, toolName, toolCallId, turn } = call;
  const write =
    (level: keyof ToolLog) =>
    (text: unknown): void => {
      const message = maskSecrets(String(text), turn.calls.secrets);
      onToolLog({ level, toolName, toolCallId, sessionId, message });
    };
  return { info: write("info"), warn: write("warn"), error: write("error") };
}
