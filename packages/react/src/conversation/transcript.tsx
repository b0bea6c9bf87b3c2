import type { SessionView } from "@holdpoint/client";
import { isHolding } from "@holdpoint/protocol";
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
  type RefObject,
} from "react";

import { Button } from "../parts/button.tsx";
import { copyOriginal } from "../parts/copy-original.ts";
import { useWords, type Words } from "../words/use-words.ts";
import { focusedInteractionId, isSettledCard } from "./card-focus.ts";
import { CONVERSATION } from "./conversation-seam.ts";
import { ExpansionProvider } from "./disclosure.tsx";
import { TranscriptRowView } from "./transcript-row.tsx";
import { toTranscriptRows, type TranscriptRow } from "./transcript-rows.ts";
import {
  useTranscriptVirtualizer,
  type TranscriptVirtualizer,
} from "./use-transcript-virtualizer.ts";
import { useCardFocus, useFirstWaitingInView } from "./use-waiting-in-view.ts";
import { locateWaiting, nextWaiting, toWaitingRows, type WaitingRow } from "./waiting-rows.ts";

/** Earlier rows are loaded when this near to the first loaded one. */
const LOAD_EARLIER_ROWS = 8;

export interface TranscriptHandle {
  /** Moves the focus to the next or previous pending card. Returns false if there is none. */
  focusWaiting(direction: 1 | -1): boolean;
  scrollToEnd(): void;
  /** Opens the search field of the conversation. */
  find(): void;
}

/** The part of the past that is not loaded yet. After a failure, only the person can retry, not scrolling. */
export interface EarlierPages {
  readonly state: "ready" | "loading" | "failed";
  readonly load: () => void;
}

interface TranscriptProps {
  readonly view: SessionView;
  readonly earlier: EarlierPages;
  readonly ref?: Ref<TranscriptHandle>;
}

const EARLIER_WORDS: Readonly<Record<EarlierPages["state"], Words>> = {
  ready: "Load earlier messages",
  loading: "Loading earlier messages…",
  failed: "Earlier messages could not be loaded. Try again",
};

/** The conversation so far. Only the rows in view are in the document. */
export function Transcript({ view, earlier, ref }: TranscriptProps): ReactNode {
  const scrollRef = useRef<HTMLDivElement>(null);
  const say = useWords();
  const { items, interactions } = view;
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map());
  const toggleSteps = useCallback((key: string, open: boolean) => {
    setChosen((before) => new Map(before).set(key, open));
  }, []);
  const rows = useMemo(
    () => toTranscriptRows({ items, interactions }, { isOpen: (key) => chosen.get(key) }),
    [items, interactions, chosen],
  );
  const waiting = useMemo(() => toWaitingRows(rows, interactions), [rows, interactions]);
  const { virtualizer, onFocusRow } = useTranscriptVirtualizer(rows, scrollRef);
  const { foundKey, isFinding, openFind, ...find } = useFindSwitch(scrollRef);
  const moves = { waiting, view, virtualizer, scrollRef, ref, onFind: openFind };
  const { goTo, goToEnd, leaveWaiting } = useTranscriptMoves(moves);
  useEarlierPages({ earlier, hasEarlier: view.hasEarlier, rows, virtualizer });

  const trackFocus = (event: FocusEvent<HTMLDivElement>): void => {
    const to = event.type === "focus" ? event.target : event.relatedTarget;
    const row = to instanceof Element ? to.closest("[data-index]") : null;
    const index = row === null ? undefined : Number(row.getAttribute("data-index"));
    onFocusRow(index, !isSettledCard(to));
  };
  const jumps = { place: locateWaiting(waiting, virtualizer), onGo: goTo, onEnd: goToEnd };
  return (
    <ExpansionProvider>
      <div className="hp-transcript-frame">
        {isFinding && (
          <CONVERSATION.Part
            of="FindBar"
            {...{ rows, view, virtualizer, toggleSteps, earlier, onReveal: leaveWaiting, ...find }}
          />
        )}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it only tracks the focus */}
        <div
          ref={scrollRef}
          className="hp-transcript"
          role="log"
          aria-live="off"
          aria-label={say("Conversation")}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- an area that scrolls must be reachable by keyboard
          tabIndex={0}
          onFocus={trackFocus}
          onBlur={trackFocus}
          onCopy={copyOriginal}
        >
          <div className="hp-transcript-rows" style={{ height: virtualizer.getTotalSize() }}>
            {view.hasEarlier && <EarlierButton earlier={earlier} />}
            <RowsInView
              {...{ rows, view, virtualizer }}
              foundKey={foundKey}
              onToggleSteps={toggleSteps}
            />
          </div>
        </div>
        <CONVERSATION.Part of="WaitingJumps" {...jumps} />
      </div>
    </ExpansionProvider>
  );
}

interface FindSwitch {
  readonly isFinding: boolean;
  /** The marked row. */
  readonly foundKey: string | undefined;
  readonly openFind: () => void;
  readonly onFound: (key: string | undefined) => void;
  readonly onClose: () => void;
}

/** Whether the search is open. Closing it moves the focus to the conversation. */
function useFindSwitch(scrollRef: RefObject<HTMLElement | null>): FindSwitch {
  const [isFinding, setIsFinding] = useState(false);
  const [foundKey, onFound] = useState<string>();
  const onClose = (): void => {
    setIsFinding(false);
    scrollRef.current?.focus();
  };
  return { isFinding, foundKey, onFound, onClose, openFind: () => setIsFinding(true) };
}

function EarlierButton({ earlier }: { readonly earlier: EarlierPages }): ReactNode {
  const say = useWords();
  return (
    <div className="hp-transcript-earlier">
      <Button tone="quiet" blocked={earlier.state === "loading"} onClick={earlier.load}>
        {say(EARLIER_WORDS[earlier.state])}
      </Button>
    </div>
  );
}

interface RowsInViewProps {
  readonly rows: readonly TranscriptRow[];
  readonly view: SessionView;
  readonly virtualizer: TranscriptVirtualizer["virtualizer"];
  readonly foundKey: string | undefined;
  readonly onToggleSteps: (key: string, open: boolean) => void;
}

function RowsInView({
  rows,
  view,
  virtualizer,
  foundKey,
  onToggleSteps,
}: RowsInViewProps): ReactNode {
  return virtualizer.getVirtualItems().map(({ index, key, start }) => {
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
        data-found={key === foundKey || undefined}
        // Not a transform: elements that stick to the bottom of the screen are placed without regard to transforms.
        style={{ top: start }}
      >
        <TranscriptRowView
          item={row.item}
          stepCount={row.steps?.count}
          stepsOpen={row.steps?.open ?? false}
          turnId={view.turnId}
          isBehind={row.isBehind ?? false}
          interactions={view.interactions}
          allowedEarlier={view.grantUses.has(row.item.key)}
          onToggleSteps={onToggleSteps}
        />
      </div>
    );
  });
}

interface TranscriptMovesOptions {
  readonly waiting: readonly WaitingRow[];
  readonly view: SessionView;
  readonly virtualizer: TranscriptVirtualizer["virtualizer"];
  readonly scrollRef: RefObject<HTMLDivElement | null>;
  readonly ref: Ref<TranscriptHandle> | undefined;
  readonly onFind: () => void;
}

interface TranscriptMoves {
  readonly goTo: (target: WaitingRow | undefined) => void;
  readonly goToEnd: () => void;
  /** To be called before scrolling to something else. */
  readonly leaveWaiting: () => void;
}

/** Functions to go to a pending interaction and to the end, also for the owner of `ref`. */
function useTranscriptMoves(options: TranscriptMovesOptions): TranscriptMoves {
  const { waiting, view, virtualizer, scrollRef, ref } = options;
  // The other interactions stay where they were asked: their agent has continued, and the newest row is at the end.
  const held = waiting.filter(({ interactionId }) => {
    const interaction = view.interactions.get(interactionId);
    return interaction !== undefined && isHolding(interaction);
  });
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
    find: options.onFind,
  }));
  return { goTo, goToEnd, leaveWaiting };
}

interface EarlierPagesOptions extends Pick<RowsInViewProps, "rows" | "virtualizer"> {
  readonly earlier: EarlierPages;
  readonly hasEarlier: boolean;
}

/** Loads a page of the past when the person scrolls near to the first loaded row. */
function useEarlierPages(options: EarlierPagesOptions): void {
  const { earlier, hasEarlier, rows, virtualizer } = options;
  const { state, load } = earlier;
  const firstShown = virtualizer.range?.startIndex ?? 0;
  useEffect(() => {
    const near = rows.length > 0 && firstShown < LOAD_EARLIER_ROWS;
    if (hasEarlier && near && state === "ready") load();
  }, [hasEarlier, state, load, rows.length, firstShown]);
}
