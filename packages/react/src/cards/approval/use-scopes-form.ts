import { useCallback, useLayoutEffect, useRef, useState } from "react";

import { keepInPlace } from "../../parts/keep-in-place.ts";
import { isLaidOut, visiblePart } from "../../parts/visible-part.ts";

/** The form with the wider scopes, and the button that opens it. */
export interface ScopesForm {
  readonly open: boolean;
  /** The form is below the main buttons if there is room, otherwise above. */
  readonly below: boolean;
  /** The row of the main buttons, which stays in place. */
  readonly setRow: (row: HTMLDivElement | null) => void;
  /** Opens or closes the form. Closing returns the focus to the button that opens it. */
  readonly toggle: () => void;
  readonly close: () => void;
  /** To be called once the form is drawn. */
  readonly onShown: () => void;
}

/** The least room below the card to open the form there: enough to see that it continues. */
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
