import { useCallback, useLayoutEffect, useRef, useState } from "react";

import { keepInPlace } from "../../parts/keep-in-place.ts";
import { isLaidOut, visiblePart } from "../../parts/visible-stretch.ts";

/** The wider scopes, which one control opens. */
export interface ScopesForm {
  readonly open: boolean;
  /** They stand below the main buttons, where there is room; else above. */
  readonly below: boolean;
  /** The row of the main buttons, which stays where it is. */
  readonly setRow: (row: HTMLDivElement | null) => void;
  /** Opens or closes them. To close gives the focus back to what opens them. */
  readonly toggle: () => void;
  readonly close: () => void;
  /** To be called once they are drawn. */
  readonly onShown: () => void;
}

/** Below the card there is room for what opens, or for enough of it to see that it goes on. */
const ROOM_BELOW_PX = 128;

export function useScopesForm(): ScopesForm {
  const [place, setPlace] = useState<"above" | "below">();
  const row = useRef<HTMLDivElement | null>(null);
  const setRow = useCallback((next: HTMLDivElement | null) => {
    row.current = next;
  }, []);
  const hold = useRef<() => void>(undefined);
  const open = place !== undefined;
  const set = (next: typeof place): void => {
    const card = row.current?.closest("article");
    hold.current = row.current && card ? keepInPlace(row.current, card) : undefined;
    setPlace(next);
  };
  const close = (): void => {
    if (open) set(undefined);
  };
  // oxlint-disable-next-line react/exhaustive-effect-dependencies -- after each change of the place
  useLayoutEffect(() => hold.current?.(), [place]);
  return {
    open,
    below: place === "below",
    setRow,
    close,
    toggle() {
      if (!open) {
        set(hasRoomBelow(row.current) ? "below" : "above");
        return;
      }
      close();
      row.current?.querySelector<HTMLElement>("[aria-expanded]")?.focus({ preventScroll: true });
    },
    onShown: () => hold.current?.(),
  };
}

function hasRoomBelow(row: HTMLElement | null): boolean {
  const card = row?.closest("article");
  if (!card || !isLaidOut()) return false;
  const { bottom } = visiblePart(card, null);
  return bottom - card.getBoundingClientRect().bottom >= ROOM_BELOW_PX;
}
