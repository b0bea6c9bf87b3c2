import { ChevronRight } from "lucide-react";
import { createContext, use, useCallback, useId, useMemo, useState, type ReactNode } from "react";

interface DisclosureProps {
  /** Under this key the state is remembered. */
  readonly name: string;
  readonly summary: ReactNode;
  /** Drawn only while open. */
  readonly children: () => ReactNode;
  readonly className?: string;
}

/** One line that opens to more. Its content does not exist while it is closed. */
export function Disclosure({ name, summary, children, className }: DisclosureProps): ReactNode {
  const [open, setOpen] = useExpanded(name);
  const id = useId();
  return (
    <div className={["hp-disclosure", className].filter(Boolean).join(" ")}>
      <button
        type="button"
        className="hp-disclosure-line"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      >
        {summary}
        <ChevronRight aria-hidden className="hp-disclosure-mark" />
      </button>
      {open && (
        <div id={id} className="hp-disclosure-body">
          {children()}
        </div>
      )}
    </div>
  );
}

const ExpansionContext = createContext<Map<string, boolean> | undefined>(undefined);

/**
 * Remembers what the person opened, for as long as it is mounted: rows of a virtual list come and go, and what was
 * opened must not close because it was scrolled away.
 */
export function ExpansionProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const memory = useMemo(() => new Map<string, boolean>(), []);
  return <ExpansionContext value={memory}>{children}</ExpansionContext>;
}

/** Whether `key` is open, and how to change it. */
function useExpanded(key: string): readonly [open: boolean, setOpen: (open: boolean) => void] {
  const memory = use(ExpansionContext);
  const [open, setOpen] = useState(() => memory?.get(key) ?? false);
  const change = useCallback(
    (next: boolean) => {
      memory?.set(key, next);
      setOpen(next);
    },
    [memory, key],
  );
  return [open, change];
}
