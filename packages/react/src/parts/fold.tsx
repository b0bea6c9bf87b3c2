import { ChevronsUpDown } from "lucide-react";
import type { FocusEvent, ReactNode } from "react";

import { useWords } from "../words/use-words.ts";

interface FoldProps {
  /** The length of the contents, such as "84 lines". */
  readonly amount: string;
  readonly opened: boolean;
  readonly onOpen: () => void;
  readonly children: ReactNode;
}

/** Shows the beginning of long contents and that there is more. Once opened, it stays open. */
export function Fold({ amount, opened, onOpen, children }: FoldProps): ReactNode {
  const say = useWords();
  // Opens if the focus moves to a control that is out of sight.
  const onFocus = (event: FocusEvent<HTMLElement>) => {
    if (!opened && event.target.closest(".hp-diff-gap") !== null) onOpen();
  };
  return (
    <div className={opened ? "hp-fold" : "hp-fold hp-fold-closed"}>
      <div className="hp-fold-content" onFocus={onFocus}>
        {children}
      </div>
      {!opened && (
        <button type="button" className="hp-fold-open" onClick={onOpen}>
          <ChevronsUpDown aria-hidden />
          {say("Show all {amount}", { amount })}
        </button>
      )}
    </div>
  );
}
