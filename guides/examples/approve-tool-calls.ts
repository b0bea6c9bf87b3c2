import { ask, type AskCalls } from "holdpoint/client";

/** What the AI SDK says in `result.content` of a tool with `needsApproval: true`. */
interface ApprovalRequest {
  readonly type: "tool-approval-request";
  readonly approvalId: string;
  readonly toolCall: { readonly toolName: string; readonly input: unknown };
}

type Part = ApprovalRequest | { readonly type: string };

/** What the AI SDK takes as the message of the tools. */
interface ApprovalMessage {
  readonly role: "tool";
  readonly content: readonly {
    readonly type: "tool-approval-response";
    readonly approvalId: string;
    readonly approved: boolean;
    readonly reason?: string;
  }[];
}

/**
 * Has a person answer each request of a step. Push what it returns to the messages behind `result.response.messages`, and
 * call the model again: only calls that were approved run, with the input that was shown.
 */
export async function approveToolCalls(
  gateway: AskCalls,
  content: readonly Part[],
): Promise<ApprovalMessage> {
  const requests = content.filter((part) => part.type === "tool-approval-request");
  const responses = (requests as readonly ApprovalRequest[]).map(
    async ({ approvalId, toolCall: { toolName, input } }) => {
      const outcome = await ask(gateway, {
        label: "assistant",
        prompt: `Use ${toolName}?`,
        input: input as Record<string, unknown>,
        key: `approval ${approvalId}`,
      });
      const approved = outcome.status === "answered";
      const reason = outcome.status === "declined" ? outcome.reason : undefined;
      return {
        type: "tool-approval-response" as const,
        approvalId,
        approved,
        ...(reason !== undefined && { reason }),
      };
    },
  );
  return { role: "tool" as const, content: await Promise.all(responses) };
}
