import {
  isAnswerable,
  isKept,
  type Interaction,
  type RespondBody,
  type Role,
} from "@holdpoint/protocol";
import { useCallback, useMemo, type ReactNode } from "react";

import { InteractionCard } from "../cards/interaction-card.tsx";
import { useHoldpoint } from "../hooks/provider.tsx";
import { takeBackFirst } from "../hooks/take-back-first.ts";
import { useInteractionMode } from "../hooks/use-interaction-mode.ts";
import { useOwnPerson } from "../hooks/use-own-person.ts";
import { useRespond } from "../hooks/use-respond.ts";
import { useRole } from "../hooks/use-role.ts";
import { useUiClock } from "../parts/ui-clock.tsx";
import { LazyCardNotes } from "./notes/lazy-notes.tsx";

interface ConnectedCardProps {
  readonly interaction: Interaction;
  readonly agentLabel?: string;
  readonly autoFocus?: boolean;
  readonly askedAgain?: boolean;
  /** Other approvals that get the same answer, as long as that is for one call and changes nothing. */
  readonly others?: readonly Interaction[];
  /** Called when the gateway has taken the answer, with what it was given to. One yes of several leaves it open. */
  readonly onAnswered?: (answered: readonly Interaction[]) => void;
  /** Loads the interaction again; default: reconnects, which does so too. */
  readonly onStale?: () => void;
}

/** How long an answer that no running agent waits for can be taken back. */
const UNDO_MS = 5000;

/** An interaction's card, connected to the gateway of the nearest provider, with what was added to the interaction. */
export function ConnectedCard(props: ConnectedCardProps): ReactNode {
  const { interaction } = props;
  const { personId } = useOwnPerson() ?? {};
  return (
    <>
      <AnsweringCard {...props} />
      {hasNotes(interaction, personId) && (
        <LazyCardNotes key={interaction.interactionId} interaction={interaction} />
      )}
    </>
  );
}

function AnsweringCard(props: ConnectedCardProps): ReactNode {
  const { interaction, others, onAnswered, onStale, ...rest } = props;
  const context = useHoldpoint();
  const clock = useUiClock();
  const { transport, drafts } = context;
  const { enabled } = useInteractionMode();
  const role = useRole();
  const { personId, signIn } = useOwnPerson() ?? {};
  const offered = useOffered(interaction, role);
  const respond = useRespond();
  const { interactionId, sessionId } = interaction;
  const send = useCallback(
    async (body: RespondBody) => {
      if (body.stopTurn === true) await takeBackFirst(context, clock, sessionId);
      const sent = { ...body, undoMs: UNDO_MS };
      const result = await respond(interactionId, sent);
      if (result.status !== "accepted") return result;
      const answered = [result.interaction];
      if (others !== undefined) {
        const { answerAllAlike } = await import("./answer-alike.ts");
        answered.push(...(await answerAllAlike(respond, others, sent)));
      }
      onAnswered?.(answered);
      return result;
    },
    [respond, context, clock, interactionId, sessionId, others, onAnswered],
  );
  const dismiss = useCallback(
    () => transport.dismissInteraction(interactionId),
    [transport, interactionId],
  );
  const undo = useCallback(
    (answeredAt: string) => transport.undoResponse(interactionId, { answeredAt }),
    [transport, interactionId],
  );
  const askToCheck = useCallback(
    async () =>
      (await import("../cards/completed/check-message.ts")).askToCheck(transport, interaction),
    [transport, interaction],
  );
  const reload = useReload();
  return (
    <InteractionCard
      {...rest}
      interaction={offered}
      clientId={transport.clientId}
      {...{ personId, signIn }}
      canRespond={enabled}
      readOnlyReason={role === "viewer" ? "no_right" : "interaction_off"}
      onRespond={send}
      onDismiss={dismiss}
      onUndo={undo}
      onAskToCheck={askToCheck}
      onStale={onStale ?? reload}
      drafts={drafts}
    />
  );
}

/** Reconnects, which loads everything again. */
function useReload(): () => void {
  const { overviewStore, sessionStores } = useHoldpoint();
  return useCallback(() => {
    overviewStore.refresh();
    sessionStores.refreshAll();
  }, [overviewStore, sessionStores]);
}

/** Whether there are notes, or somebody who reads one: other people, or the program that asks. */
function hasNotes(interaction: Interaction, personId: string | undefined): boolean {
  const { notes, responders } = interaction;
  const isRead = isKept(interaction) || (personId ?? responders) !== undefined;
  return notes !== undefined || (isRead && isAnswerable(interaction));
}

/** The interaction with the scopes that this role may give. */
function useOffered(interaction: Interaction, role: Role | undefined): Interaction {
  return useMemo(
    () => (role === "responder" ? withoutAlways(interaction) : interaction),
    [role, interaction],
  );
}

/** What holds from now on, only an owner allows. */
function withoutAlways(interaction: Interaction): Interaction {
  const { approval } = interaction;
  const scopes = approval?.scopes.filter((scope) => scope !== "always") ?? [];
  return approval && scopes.length > 0
    ? { ...interaction, approval: { ...approval, scopes } }
    : interaction;
}
