import type { TurnContext } from "holdpoint/engine";

type Input = Record<string, unknown>;
type Decision =
  | { readonly behavior: "allow"; readonly updatedInput: Input }
  | { readonly behavior: "deny"; readonly message: string };
interface Asking {
  readonly signal: AbortSignal;
  readonly toolUseID: string;
}
type CanUseTool = (toolName: string, input: Input, asking: Asking) => Promise<Decision>;

/** Has a person answer an SDK's question before each tool call: the promise is pending for as long as the card is. */
export function createCanUseTool(turn: Pick<TurnContext, "hold">): CanUseTool {
  return async (toolName, input, { signal, toolUseID }) => {
    const held = await turn.hold(
      {
        kind: "approval",
        toolCallId: toolUseID,
        toolName,
        input,
        display: {},
        scopes: ["once"],
        scopeText: {},
        editable: true,
      },
      { signal },
    );
    if (held.outcome !== "answered") return deny("Nobody has approved it.");
    const { action, reason = "A person has denied it." } = held.response;
    await held.delivered();
    // Run the input that was shown, or the person's edit of it, never the SDK's own copy.
    return action === "approve" && held.input
      ? { behavior: "allow", updatedInput: held.input }
      : deny(reason);
  };
}

function deny(message: string): Decision {
  return { behavior: "deny", message };
}
