import { useLayoutEffect, useRef, type RefObject } from "react";

import { focusedElement } from "../../parts/focused-element.ts";

/**
 * Whether the focus was last inside `slot`. Still true after the focused element was removed with its card; false once
 * the person has focused something else.
 */
export function useHadFocus(slot: RefObject<HTMLElement | null>): () => boolean {
  const hadFocus = useRef(false);
  useLayoutEffect(() => {
    const element = slot.current;
    if (element === null) return undefined;
    const enter = () => {
      hadFocus.current = true;
    };
    const leave = (event: FocusEvent) => {
      // Without a related target, the focused element was removed: the focus still belongs here.
      if (event.relatedTarget instanceof Node) hadFocus.current = false;
    };
    element.addEventListener("focusin", enter);
    element.addEventListener("focusout", leave);
    return () => {
      element.removeEventListener("focusin", enter);
      element.removeEventListener("focusout", leave);
    };
  }, [slot]);
  const isElsewhere = () => {
    const activeElement = focusedElement();
    if (activeElement === null || activeElement === document.body) return false;
    return slot.current?.contains(activeElement) !== true;
  };
  return () => hadFocus.current && !isElsewhere();
}
