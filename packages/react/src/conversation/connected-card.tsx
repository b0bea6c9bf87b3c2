import type { Interaction, RespondBody } from "@holdpoint/protocol";
import { useCallback, type ReactNode } from "react";

import { InteractionCard } from "../cards/interaction-card.tsx";
import { useHoldpoint } from "../hooks/provider.tsx";
import { takeBackQueue } from "../hooks/take-back-queue.ts";
import { useInteractionMode } from "../hooks/use-interaction-mode.ts";
import { useRespond } from "../hooks/use-respond.ts";

interface ConnectedCardProps {
  readonly interaction: Interaction;
  readonly agentLabel?: string;
  readonly autoFocus?: boolean;
  readonly askedAgain?: boolean;
  /** Loads the interaction again; default: reconnects, which does so too. */
  readonly onStale?: () => void;
}

/** An interaction's card, connected to the gateway of the nearest provider. */
export function ConnectedCard({ interaction, onStale, ...rest }: ConnectedCardProps): ReactNode {
  const context = useHoldpoint();
  const { transport, drafts, overviewStore, sessionStores } = context;
  const { enabled } = useInteractionMode();
  const respond = useRespond();
  const { interactionId, sessionId } = interaction;
  const send = useCallback(
    async (body: RespondBody) => {
      if (body.stopTurn === true) {
        await takeBackQueue(context, sessionId).catch(() => undefined);
      }
      return respond(interactionId, body);
    },
    [respond, context, interactionId, sessionId],
  );
  const dismiss = useCallback(
    () => transport.dismissInteraction(interactionId),
    [transport, interactionId],
  );
  const askToCheck = useCallback(async () => {
    const { toCheckMessage } = await import("../cards/completed/check-message.ts");
    await transport.sendMessage(interaction.sessionId, {
      content: toCheckMessage(interaction),
      // The same from every page, so that the agent is asked once.
      idempotencyKey: `check:${interaction.interactionId}`,
      queue: true,
    });
  }, [transport, interaction]);
  const reload = useCallback(() => {
    overviewStore.refresh();
    sessionStores.refreshAll();
  }, [overviewStore, sessionStores]);
  return (
    <InteractionCard
      {...rest}
      interaction={interaction}
      clientId={transport.clientId}
      canRespond={enabled}
      readOnlyReason="interaction_off"
      onRespond={send}
      onDismiss={dismiss}
      onAskToCheck={askToCheck}
      onStale={onStale ?? reload}
      drafts={drafts}
    />
  );
}
