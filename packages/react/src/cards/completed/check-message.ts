import type { Transport } from "@holdpoint/client";
import { withoutMentions, type Interaction } from "@holdpoint/protocol";

const MAX_SUBJECT_LENGTH = 200;

/** The message that asks an agent whether it got an answer. It is always the same for the same interaction. */
export function toCheckMessage({ toolName, approval, kind }: Interaction): string {
  const { command, file_path: path } = approval?.input ?? {};
  const subject = [command, path].find((value) => typeof value === "string");
  const line = subject?.split("\n", 1)[0]?.slice(0, MAX_SUBJECT_LENGTH);
  const call = line === undefined ? toolName : `${toolName} (${line})`;
  const what = kind === "approval" ? "decision about" : "answer to";
  return withoutMentions(
    `You or the gateway were stopped while you got my ${what} a tool call: ${call}. Nobody knows whether it ran. ` +
      "Look whether it did, without running it again, and tell me what you found.",
  );
}

/** Sends the check message to the agent. */
export async function askToCheck(
  transport: Pick<Transport, "sendMessage">,
  interaction: Interaction,
): Promise<void> {
  await transport.sendMessage(interaction.sessionId, {
    content: toCheckMessage(interaction),
    // The same key on every page, so that the agent is asked once.
    idempotencyKey: `check:${interaction.interactionId}`,
    queue: true,
  });
}
