import { ChevronDown } from "lucide-react";
import type { ReactNode } from "react";

import { Button } from "../../parts/button.tsx";
import type { Unshown } from "../../parts/unshown.tsx";

type MissingWordsProps = Pick<Unshown, "moves"> & { readonly words: string | undefined };

/** The part still missing before a card can be sent. If it only has to be scrolled to, a press does that. */
export function MissingWords({ words, moves }: MissingWordsProps): ReactNode {
  if (words === undefined) return null;
  if (moves === undefined) return <span className="hp-missing">{words}</span>;
  return (
    <Button
      className="hp-show-rest"
      icon={<ChevronDown aria-hidden />}
      onClick={moves.goOn ?? moves.show}
    >
      {words}
    </Button>
  );
}
