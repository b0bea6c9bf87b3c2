import { createContext, use, useCallback, useMemo, useState, type ReactNode } from "react";

interface Expansion {
  readonly memory: Map<string, boolean>;
}

const ExpansionContext = createContext<Expansion | undefined>(undefined);

/**
 * Remembers what the person opened, for as long as it is mounted: rows of a virtual list come and go, and what was
 * opened must not close because it was scrolled away.
 */
export function ExpansionProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const expansion = useMemo<Expansion>(() => ({ memory: new Map() }), []);
  return <ExpansionContext value={expansion}>{children}</ExpansionContext>;
}

/** Whether `key` is open, and how to change it. */
export function useExpanded(
  key: string,
): readonly [open: boolean, setOpen: (open: boolean) => void] {
  const expansion = use(ExpansionContext);
  const [open, setOpen] = useState(() => expansion?.memory.get(key) ?? false);
  const change = useCallback(
    (next: boolean) => {
      expansion?.memory.set(key, next);
      setOpen(next);
    },
    [expansion, key],
  );
  return [open, change];
}
