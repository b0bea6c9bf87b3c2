import type { Clock } from "@holdpoint/engine";
import type { AgentInfo } from "@holdpoint/protocol";

import type { Subject } from "./deliveries/deliveries.ts";
import { READER } from "./deliveries/follow-pending.ts";
import {
  type AskedOptions,
  type Message,
  MORE_TAG,
  toAskedMessage,
  toCloseMessage,
  toMoreMessage,
} from "./message.ts";
import type { DeliveryStep } from "./ports/notification-store.ts";
import type { ToldGateway } from "./told-gateway.ts";

/**
 * Creates the function that renders messages from the current state of the gateway. It resolves to `undefined` if the
 * subject is no longer pending.
 */
export function createMessages(
  gatewayOf: () => ToldGateway | undefined,
  clock: Pick<Clock, "now">,
): (step: DeliveryStep, subject: Subject) => Promise<Message | undefined> {
  return async (step, subject) => {
    const gateway = gatewayOf();
    if (!gateway) return undefined;
    if (subject.interactionId === undefined) {
      if (step === "close") return toCloseMessage(MORE_TAG);
      return subject.count > 0 ? toMoreMessage(step, subject.count) : undefined;
    }
    if (step === "close") return toCloseMessage(subject.interactionId);
    const interaction = await gateway.getInteraction(READER, subject.interactionId);
    return interaction.status === "pending"
      ? describe(gateway, { step, interaction, nowMs: clock.now() })
      : undefined;
  };
}

async function describe(
  gateway: ToldGateway,
  { interaction, ...told }: Pick<AskedOptions, "interaction" | "nowMs" | "step">,
): Promise<Message> {
  const { agent: name, cwd } = await gateway.getSession(READER, interaction.sessionId);
  const { items } = await gateway.listAgents(READER);
  const known: AgentInfo | undefined = items.find(({ agent }) => agent === name);
  return toAskedMessage({ ...told, interaction, agent: known?.label ?? name, cwd });
}
