import { ChevronRight } from "lucide-react";
import { useId, type ReactNode } from "react";

import { useExpanded } from "./expansion.tsx";

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
