import {
  isAnswerable,
  isKept,
  type Interaction,
  type RespondBody,
  type Role,
} from "@holdpoint/protocol";
import { useCallback, useMemo, type ReactNode } from "react";

import { CARDS } from "../cards/cards-seam.ts";
import { InteractionCard } from "../cards/interaction-card.tsx";
import { useHoldpoint } from "../hooks/provider.tsx";
import { takeBackFirst } from "../hooks/take-back-first.ts";
import { useInteractionMode } from "../hooks/use-interaction-mode.ts";
import { useOwnPerson } from "../hooks/use-own-person.ts";
import { useRespond } from "../hooks/use-respond.ts";
import { useRole } from "../hooks/use-role.ts";
import { Button } from "../parts/button.tsx";
import { useUiClock } from "../parts/ui-clock.tsx";
import { CONVERSATION } from "./conversation-seam.ts";

interface ConnectedCardProps {
  readonly interaction: Interaction;
  readonly agentLabel?: string;
  readonly autoFocus?: boolean;
  readonly askedAgain?: boolean;
  /** Other approvals that get the same answer, unless it covers more than one call or edits the input. */
  readonly others?: readonly Interaction[];
  /** Called when the gateway has the answer, with all interactions answered. One of several votes leaves it open. */
  readonly onAnswered?: (answered: readonly Interaction[]) => void;
  /** Loads the interaction again. Default: reconnects, which reloads it. */
  readonly onStale?: () => void;
}

/** How long an answer can be undone if no running agent waits for it. */
const UNDO_MS = 5000;

/** An interaction's card with its notes, connected to the gateway of the nearest provider. */
export function ConnectedCard(props: ConnectedCardProps): ReactNode {
  const { interaction } = props;
  const { personId } = useOwnPerson() ?? {};
  return (
    <>
      <AnsweringCard {...props} />
      {hasNotes(interaction, personId) && (
        <CONVERSATION.Part
          of="CardNotes"
          instead={NotesPlace}
          key={interaction.interactionId}
          interaction={interaction}
        />
      )}
    </>
  );
}

/** A placeholder of the same height: the content below must not move under a finger. */
function NotesPlace(): ReactNode {
  return (
    <div className="hp-card-notice hp-undo" aria-hidden>
      <Button blocked tabIndex={-1} />
    </div>
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
        const { answerAllIdentical } = await CONVERSATION.load();
        answered.push(...(await answerAllIdentical(respond, others, sent)));
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
    async () => (await CARDS.load()).askToCheck(transport, interaction),
    [transport, interaction],
  );
  const reload = useReload();
  const check = useCheck(interactionId);
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
      onCheck={check}
      drafts={drafts}
    />
  );
}

/** Reconnects, which reloads everything. */
function useReload(): () => void {
  const { overviewStore, sessionStores } = useHoldpoint();
  return useCallback(() => {
    overviewStore.refresh();
    sessionStores.refreshAll();
  }, [overviewStore, sessionStores]);
}

const CHECK_EVERY_MS = 1000;

/** Reads the interaction until the gateway answers. Rejects when the signal aborts. */
function useCheck(interactionId: string): (signal: AbortSignal) => Promise<Interaction> {
  const { clock, transport } = useHoldpoint();
  return useCallback(
    async (signal) => {
      for (;;) {
        await clock.sleep(CHECK_EVERY_MS, { signal });
        const found = await transport.getInteraction(interactionId).catch(() => undefined);
        if (found !== undefined) return found;
      }
    },
    [clock, transport, interactionId],
  );
}

/** Whether there are notes, or readers for new ones: other people, or the program that asks. */
function hasNotes(interaction: Interaction, personId: string | undefined): boolean {
  const { notes, responders } = interaction;
  const isRead = isKept(interaction) || (personId ?? responders) !== undefined;
  return notes !== undefined || (isRead && isAnswerable(interaction));
}

/** The interaction, limited to the scopes that this role may grant. */
function useOffered(interaction: Interaction, role: Role | undefined): Interaction {
  return useMemo(
    () => (role === "responder" ? withoutAlways(interaction) : interaction),
    [role, interaction],
  );
}

/** Only an owner may allow the scope "always". */
function withoutAlways(interaction: Interaction): Interaction {
  const { approval } = interaction;
  const scopes = approval?.scopes.filter((scope) => scope !== "always") ?? [];
  return approval && scopes.length > 0
    ? { ...interaction, approval: { ...approval, scopes } }
    : interaction;
}
