import type { DraftStorage } from "@holdpoint/client";
import {
  isAnswerable,
  ProtocolError,
  type Interaction,
  type RespondBody,
  type RespondResult,
} from "@holdpoint/protocol";
import { useCallback, useEffect, useRef, useState } from "react";

import { useAnnounce } from "../../parts/announcer.tsx";
import { useWords } from "../../words/use-words.ts";
import { toCardState, type CardState, type ReadOnlyReason, type Submission } from "./card-state.ts";
import { toStateWords } from "./card-words.ts";

interface ResponseOptions {
  readonly interaction: Interaction;
  readonly clientId: string;
  readonly personId?: string | undefined;
  readonly canRespond: boolean;
  readonly readOnlyReason?: ReadOnlyReason | undefined;
  readonly onRespond?: ((body: RespondBody) => Promise<RespondResult>) | undefined;
  readonly onDismiss?: (() => Promise<Interaction>) | undefined;
  readonly onStale?: (() => void) | undefined;
  readonly onCheck?: ((signal: AbortSignal) => Promise<Interaction>) | undefined;
  readonly drafts: DraftStorage;
}

export interface ResponseHandle {
  readonly state: CardState;
  /** Sends a response. Does nothing while another is being sent. */
  readonly send: (body: RespondBody) => void;
  /** Sends the same response again. Does nothing if none was sent. */
  readonly retry: () => void;
  /** Closes an interaction that no agent waits for, without an answer. Absent if this client may not. */
  readonly dismiss?: () => void;
}

/** Sends the answer and tracks its result. Removes the draft once the gateway has acknowledged. */
export function useResponse(options: ResponseOptions): ResponseHandle {
  const { interaction, canRespond, onRespond, onDismiss, onStale, drafts } = options;
  const [submission, setSubmission] = useState<Submission>({ status: "none" });
  const underWay = useRef(false);
  const lastWork = useRef<() => Promise<RespondResult>>(undefined);

  const run = useCallback(
    (work: () => Promise<RespondResult>) => {
      if (underWay.current) return;
      underWay.current = true;
      lastWork.current = work;
      setSubmission({ status: "sending" });
      void settle(work).then((next) => {
        underWay.current = false;
        setSubmission(next);
        if (next.status === "refused" && next.problem.code === "DIGEST_MISMATCH") onStale?.();
      });
    },
    [onStale],
  );
  const send = useCallback(
    (body: RespondBody) => {
      if (onRespond !== undefined) run(() => onRespond(body));
    },
    [onRespond, run],
  );
  const retry = useCallback(() => {
    if (lastWork.current !== undefined) run(lastWork.current);
  }, [run]);
  const dismiss = useCallback(() => {
    if (onDismiss === undefined) return;
    run(async () => ({ status: "accepted", interaction: await onDismiss() }));
  }, [onDismiss, run]);

  const state = toCardState({ ...options, submission });
  const { phase } = state;
  // The draft is kept while the answer can be undone, so that it can be edited and sent again.
  const isSure = phase === "answered_here" && state.undoUntil === undefined;
  const { interactionId, votesGiven } = interaction;
  useEffect(() => {
    if (isSure) drafts.remove(interactionId);
  }, [isSure, drafts, interactionId]);
  const isUnsure = phase === "failed" && state.message === undefined;
  const { onCheck } = options;
  useEffect(() => {
    if (!isUnsure || onCheck === undefined) return undefined;
    const over = new AbortController();
    const settleLate = (found: Interaction): void => {
      if (over.signal.aborted) return;
      const isLost = isAnswerable(found) && found.votesGiven === votesGiven;
      setSubmission(isLost ? { status: "lost" } : { status: "acknowledged", interaction: found });
    };
    onCheck(over.signal).then(settleLate, () => undefined); // Rejects only when it is aborted.
    return () => over.abort();
  }, [isUnsure, onCheck, votesGiven]);
  useAnnouncedState(state);
  return { state, send, retry, ...(canRespond && onDismiss !== undefined && { dismiss }) };
}

async function settle(work: () => Promise<RespondResult>): Promise<Submission> {
  try {
    const result = await work();
    return result.status === "accepted"
      ? { status: "acknowledged", interaction: result.interaction }
      : { status: "refused", problem: result.problem };
  } catch (error) {
    if (ProtocolError.isInstance(error)) {
      return {
        status: "refused",
        problem: { code: error.code, detail: error.message, ...error.extras },
      };
    }
    return { status: "failed" };
  }
}

/** Announces changes of the state to screen readers, but not the state in which the card appears. */
function useAnnouncedState(state: CardState): void {
  const announce = useAnnounce();
  const say = useWords();
  const { headline, detail } = toStateWords(state, say);
  const last = useRef({ headline, say });
  useEffect(() => {
    // A change of language does not change the state.
    const isSame = last.current.headline === headline || last.current.say !== say;
    last.current = { headline, say };
    if (isSame) return;
    // Sending is not announced, only its result.
    if (state.phase === "submitting" || state.phase === "pending") return;
    announce(detail === undefined ? headline : `${headline}. ${detail}`);
  }, [announce, say, state.phase, headline, detail]);
}
