import type { ReactNode } from "react";
/** The key that does the same; for eyes only, since the control has a name of its own. */
export function KeyHint({ children }: { readonly children: string }): ReactNode {
  return (
    <kbd className="hp-key" aria-hidden="true">
      {children}
    </kbd>
  );
}
