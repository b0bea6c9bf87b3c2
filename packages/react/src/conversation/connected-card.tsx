import type { Interaction, RespondBody } from "@holdpoint/protocol";
import { useCallback, type ReactNode } from "react";

import { InteractionCard } from "../cards/interaction-card.tsx";
import { useHoldpoint } from "../hooks/provider.tsx";
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
  const { transport, drafts, overviewStore, sessionStores } = useHoldpoint();
  const { enabled } = useInteractionMode();
  const respond = useRespond();
  const { interactionId } = interaction;
  const send = useCallback(
    (body: RespondBody) => respond(interactionId, body),
    [respond, interactionId],
  );
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
      onStale={onStale ?? reload}
      drafts={drafts}
    />
  );
}
