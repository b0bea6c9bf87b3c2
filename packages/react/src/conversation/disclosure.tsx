import { ChevronRight } from "lucide-react";
import { createContext, use, useCallback, useId, useMemo, useState, type ReactNode } from "react";

interface DisclosureProps {
  /** The key under which the state is remembered. */
  readonly name: string;
  readonly summary: ReactNode;
  /** Rendered only while it is open. */
  readonly children: () => ReactNode;
  readonly className?: string;
}

/** A line that opens to show more. Its content is not in the document while it is closed. */
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
 * Remembers open disclosures for as long as it is mounted. Rows of a virtual list are removed and drawn again, and an
 * open one must not close because it was scrolled out of view.
 */
export function ExpansionProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const memory = useMemo(() => new Map<string, boolean>(), []);
  return <ExpansionContext value={memory}>{children}</ExpansionContext>;
}

/** Whether `key` is open, and a function to change that. */
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
