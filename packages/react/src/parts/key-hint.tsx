import type { ReactNode } from "react";
/** The shortcut key of a control. Hidden from screen readers: the control has its own name. */
export function KeyHint({ children }: { readonly children: string }): ReactNode {
  return (
    <kbd className="hp-key" aria-hidden="true">
      {children}
    </kbd>
  );
}
