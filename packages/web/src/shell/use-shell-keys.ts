import { isTypingTarget } from "@holdpoint/react";
import { useEffect, useRef } from "react";

interface ShellKeys {
  readonly onWaiting: (direction: 1 | -1) => void;
  readonly onHelp: () => void;
}

/** Single keys for the whole page: not while the person types or holds a modifier, and not while a dialog is open. */
export function useShellKeys(keys: ShellKeys): void {
  const current = useRef(keys);
  useEffect(() => {
    current.current = keys;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing || event.repeat) return;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target !== null && isTypingTarget(event.target)) return;
      if (document.querySelector("dialog[open]") !== null) return;
      const act = toAction(event.key, current.current);
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
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
