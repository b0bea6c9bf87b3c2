import { useEffect, useState, type RefObject } from "react";

import { framesOf, isLaidOut, visiblePart } from "../../parts/visible-part.ts";
import { watchMoves } from "../../parts/watch-moves.ts";

/** How much of a card must be in view above its actions while they stick to the bottom of the screen. */
const SEEN_ABOVE_PX = 64;

interface ActionPlace {
  /**
   * Whether the actions of a long card may stick to the bottom of the screen. Not while the card is only starting to
   * come into view, nor on a screen that they would fill: they would cover the content that they refer to.
   */
  readonly stuck: boolean;
  /** How many times the card has moved without being scrolled, or its room has changed. */
  readonly moves: number;
}

/** The position of a card's actions. */
export function useActionPlace(
  article: RefObject<HTMLElement | null>,
  actions: HTMLElement | null,
): ActionPlace {
  const [place, setPlace] = useState<ActionPlace>({ stuck: false, moves: 0 });
  useEffect(() => {
    const card = article.current;
    if (card === null || actions === null || !isLaidOut()) return undefined;
    let last = standingOf(card);
    const { stop } = watchMoves(card, actions, () => {
      const { top, bottom } = visiblePart(card, null);
      const now = standingOf(card);
      const from = Math.max(top, now.top);
      const stuck = bottom - from - actions.offsetHeight >= SEEN_ABOVE_PX;
      const hasMoved = isMoved(last, now);
      last = now;
      setPlace((before) =>
        hasMoved || stuck !== before.stuck
          ? { stuck, moves: before.moves + Number(hasMoved) }
          : before,
      );
    });
    return stop;
  }, [article, actions]);
  return place;
}

interface Standing {
  readonly top: number;
  /** The total scroll offset of everything around it. */
  readonly scrolled: number;
  /** The surrounding scroll area: its height, the height of its content, and the height left below. */
  readonly room: number;
  readonly height: number;
  readonly below: number;
}

function standingOf(card: HTMLElement): Standing {
  const { top } = card.getBoundingClientRect();
  const frames = framesOf(card);
  const scrolled = frames.reduce((sum, { scrollTop }) => sum + scrollTop, window.scrollY);
  const {
    clientHeight: room,
    scrollHeight: height,
    scrollTop,
  } = frames[0] ?? document.documentElement;
  return { top, scrolled, room, height, below: height - room - scrollTop };
}

/**
 * Whether its room changed, or its position did, because of the content above it or because the end of the scroll area
 * is kept in view.
 */
function isMoved(last: Standing, now: Standing): boolean {
  const by = now.top - last.top;
  const follows = now.height !== last.height && Math.max(last.below, now.below) < 2;
  return (
    now.room !== last.room ||
    (by !== 0 && (follows || Math.abs(by + now.scrolled - last.scrolled) > 1))
  );
}
