import { ask, type AskCalls } from "holdpoint/client";

/** An entry in the AI SDK's `result.content` for a tool with `toolApproval: { NAME: "user-approval" }`. */
interface ApprovalRequest {
  readonly type: "tool-approval-request";
  readonly approvalId: string;
  /** The program itself has approved or denied it. */
  readonly isAutomatic?: boolean;
  readonly toolCall: { readonly toolName: string; readonly input: unknown };
}

type Part = ApprovalRequest | { readonly type: string };

/** The tool message that the AI SDK accepts. */
interface ApprovalMessage {
  readonly role: "tool";
  content: {
    readonly type: "tool-approval-response";
    readonly approvalId: string;
    readonly approved: boolean;
    readonly reason?: string;
  }[];
}

/**
 * Has a person answer each request of a step. Append the returned message after `result.responseMessages`, and call the
 * model again: only approved calls run, with the input that was shown.
 */
export async function approveToolCalls(
  gateway: AskCalls,
  content: readonly Part[],
): Promise<ApprovalMessage> {
  const responses = content.filter(isRequest).map(async ({ approvalId, toolCall }) => {
    const outcome = await ask(gateway, {
      label: "assistant",
      prompt: `Use ${toolCall.toolName}?`,
      input: toolCall.input as Record<string, unknown>,
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
  });
  return { role: "tool" as const, content: await Promise.all(responses) };
}

function isRequest(part: Part): part is ApprovalRequest {
  return part.type === "tool-approval-request" && !("isAutomatic" in part && part.isAutomatic);
}
