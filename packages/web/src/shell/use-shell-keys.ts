import { isComposing, isTypingTarget } from "@holdpoint/react";
import { useEffect, useRef } from "react";

interface ShellKeys {
  readonly onWaiting: (direction: 1 | -1) => void;
  readonly onHelp: () => void;
  /** Ctrl+K or ⌘K, also while the person types. */
  readonly onPalette: () => void;
}

/** The page's shortcuts. Single keys are ignored while the person types, and while a dialog or a menu is open. */
export function useShellKeys(keys: ShellKeys): void {
  const current = useRef(keys);
  useEffect(() => {
    current.current = keys;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || isComposing(event) || event.repeat) return;
      const isFree = document.querySelector("dialog[open], [role=menu]") === null;
      const act = isPaletteKey(event)
        ? current.current.onPalette
        : toAction(toSingleKey(event), current.current);
      if (act === undefined) return;
      event.preventDefault();
      if (isFree) act();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}

function isPaletteKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === "k" && ctrlKey !== metaKey && !altKey && !shiftKey;
}

/** The key, if it is pressed without a modifier and not in a text field; otherwise empty. */
function toSingleKey({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): string {
  const isText = target !== null && isTypingTarget(target);
  return ctrlKey || metaKey || altKey || isText ? "" : key;
}

function toAction(key: string, { onWaiting, onHelp }: ShellKeys): (() => void) | undefined {
  switch (key) {
    case "j":
    case "J":
      return () => onWaiting(1);
    case "k":
    case "K":
      return () => onWaiting(-1);
    case "?":
      return onHelp;
    default:
      return undefined;
  }
}
