import type { SessionView } from "@holdpoint/client";
import {
  useCallback,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
  type FocusEvent,
  type ReactNode,
  type Ref,
} from "react";

import { Button } from "../parts/button.tsx";
import { focusedInteractionId, isSettledCard } from "./card-focus.ts";
import { ExpansionProvider } from "./expansion.tsx";
import { TranscriptRowView } from "./transcript-row.tsx";
import { toTranscriptRows } from "./transcript-rows.ts";
import { useTranscriptVirtualizer } from "./use-transcript-virtualizer.ts";
import { useCardFocus, useFirstWaitingInView } from "./use-waiting-in-view.ts";
import { WaitingJumps } from "./waiting-jumps.tsx";
import { locateWaiting } from "./waiting-place.ts";
import { nextWaiting, toWaitingRows, type WaitingRow } from "./waiting-rows.ts";

/** So near to the first loaded row, earlier ones are loaded. */
const LOAD_EARLIER_ROWS = 8;

export interface TranscriptHandle {
  /** Moves focus to the next or previous waiting card; false when none waits here. */
  focusWaiting(direction: 1 | -1): boolean;
  scrollToEnd(): void;
}

/** The past that is not loaded yet. After a failure the next attempt is the person's: scrolling would only repeat it. */
export interface EarlierPages {
  readonly state: "ready" | "loading" | "failed";
  readonly load: () => void;
}

interface TranscriptProps {
  readonly view: SessionView;
  readonly earlier: EarlierPages;
  readonly ref?: Ref<TranscriptHandle>;
}

const EARLIER_WORDS: Readonly<Record<EarlierPages["state"], string>> = {
  ready: "Load earlier messages",
  loading: "Loading earlier messages…",
  failed: "Earlier messages could not be loaded. Try again",
};

/** The conversation so far, as a list of which only what is in view exists. */
export function Transcript({ view, earlier, ref }: TranscriptProps): ReactNode {
  const scrollRef = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map());
  const { items, interactions, grantUses, hasEarlier, turnId } = view;
  const rows = useMemo(
    () => toTranscriptRows({ items, interactions }, { isOpen: (key) => chosen.get(key) }),
    [items, interactions, chosen],
  );
  const waiting = useMemo(() => toWaitingRows(rows, interactions), [rows, interactions]);
  // What its agent went on without stays where it was asked; the newest is at the end.
  const held = waiting.filter((row) => interactions.get(row.interactionId)?.hold !== "queued");
  const toggleSteps = useCallback((key: string, open: boolean) => {
    setChosen((before) => new Map(before).set(key, open));
  }, []);
  const { virtualizer, onFocusRow } = useTranscriptVirtualizer(rows, scrollRef);
  const leaveWaiting = useFirstWaitingInView(held, virtualizer);
  const focusInteraction = useCardFocus(scrollRef);
  const goToEnd = (): void => {
    leaveWaiting();
    virtualizer.scrollToEnd();
  };
  const goTo = (target: WaitingRow | undefined): void => {
    if (target === undefined) return;
    virtualizer.scrollToIndex(target.index, { align: "start" });
    focusInteraction(target.interactionId);
  };

  useImperativeHandle(ref, () => ({
    focusWaiting(direction) {
      const ids = waiting.map(({ interactionId }) => interactionId);
      const next = nextWaiting(ids, focusedInteractionId(scrollRef.current), direction);
      goTo(waiting.find(({ interactionId }) => interactionId === next));
      return next !== undefined;
    },
    scrollToEnd: goToEnd,
  }));

  const shown = virtualizer.getVirtualItems();
  const firstShown = virtualizer.range?.startIndex ?? 0;
  const { state: earlierState, load: loadEarlier } = earlier;
  useEffect(() => {
    const near = rows.length > 0 && firstShown < LOAD_EARLIER_ROWS;
    if (hasEarlier && near && earlierState === "ready") loadEarlier();
  }, [hasEarlier, earlierState, loadEarlier, rows.length, firstShown]);

  const trackFocus = (event: FocusEvent<HTMLDivElement>): void => {
    const to = event.type === "focus" ? event.target : event.relatedTarget;
    const row = to instanceof Element ? to.closest("[data-index]") : null;
    const index = row === null ? undefined : Number(row.getAttribute("data-index"));
    onFocusRow(index, !isSettledCard(to));
  };
  return (
    <ExpansionProvider>
      <div className="hp-transcript-frame">
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it only watches where the focus is */}
        <div
          ref={scrollRef}
          className="hp-transcript"
          role="log"
          aria-live="off"
          aria-label="Conversation"
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
          tabIndex={0}
          onFocus={trackFocus}
          onBlur={trackFocus}
        >
          <div className="hp-transcript-rows" style={{ height: virtualizer.getTotalSize() }}>
            {hasEarlier && (
              <div className="hp-transcript-earlier">
                <Button tone="quiet" blocked={earlierState === "loading"} onClick={loadEarlier}>
                  {EARLIER_WORDS[earlierState]}
                </Button>
              </div>
            )}
            {shown.map(({ index, key, start }) => {
              const row = rows[index];
              if (row === undefined) return null;
              return (
                <div
                  key={key}
                  ref={virtualizer.measureElement}
                  data-index={index}
                  className="hp-row"
                  data-type={row.item.type}
                  data-depth={Math.min(row.depth, 3)}
                  data-joined={row.joined || undefined}
                  // Not a transform: what sticks to the bottom of the screen is placed without regard to those.
                  style={{ top: start }}
                >
                  <TranscriptRowView
                    item={row.item}
                    stepCount={row.steps?.count}
                    stepsOpen={row.steps?.open ?? false}
                    turnId={turnId}
                    interactions={interactions}
                    allowedEarlier={grantUses.has(row.item.key)}
                    onToggleSteps={toggleSteps}
                  />
                </div>
              );
            })}
          </div>
        </div>
        <WaitingJumps place={locateWaiting(waiting, virtualizer)} onGo={goTo} onEnd={goToEnd} />
      </div>
    </ExpansionProvider>
  );
}
