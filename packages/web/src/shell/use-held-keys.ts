import { isComposing } from "@holdpoint/react";
import { useLayoutEffect } from "react";

/** Ignores keys until a requested dialog is loaded, so that no card receives keys typed for the dialog. */
export function useHeldKeys(isAsked: boolean, onClose: () => void): void {
  useLayoutEffect(() => {
    const hold = (event: KeyboardEvent): void => {
      const isThere = document.querySelector("dialog[open]");
      if (!isAsked || isThere || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      event.stopPropagation();
      if (event.key === "Escape" && !isComposing(event)) onClose();
    };
    window.addEventListener("keydown", hold, true);
    return () => window.removeEventListener("keydown", hold, true);
  });
}
