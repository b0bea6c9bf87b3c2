import { ArrowDown, ArrowUp } from "lucide-react";
import type { ReactNode } from "react";

import { Button } from "../parts/button.tsx";
import type { WaitingPlace, WaitingRow } from "./waiting-rows.ts";

interface WaitingJumpsProps {
  readonly place: WaitingPlace;
  readonly onGo: (row: WaitingRow) => void;
  readonly onEnd: () => void;
}

/** Buttons that lead to pending interactions out of view, or to the end. */
export function WaitingJumps({ place, onGo, onEnd }: WaitingJumpsProps): ReactNode {
  const above = place.above.at(-1);
  const [below] = place.below;
  return (
    <>
      <div className="hp-jumps hp-jumps-above">
        {above !== undefined && (
          <Button
            className="hp-jump hp-jump-waiting"
            icon={<ArrowUp aria-hidden />}
            onClick={() => onGo(above)}
          >
            <Where count={place.above.length} side="above" />
          </Button>
        )}
      </div>
      <div className="hp-jumps hp-jumps-below">
        {below !== undefined && (
          <Button
            className="hp-jump hp-jump-waiting"
            icon={<ArrowDown aria-hidden />}
            onClick={() => onGo(below)}
          >
            <Where count={place.below.length} side="below" />
          </Button>
        )}
        {below === undefined && place.farFromEnd && (
          <Button className="hp-jump" icon={<ArrowDown aria-hidden />} onClick={onEnd}>
            Jump to latest
          </Button>
        )}
      </div>
    </>
  );
}

/** Where it is narrow, "waiting" is only said: the colour shows it, and the status line beside it. */
function Where({ count, side }: { readonly count: number; readonly side: string }): ReactNode {
  return (
    <span>
      {count}
      <span className="hp-jump-word"> waiting</span> {side}
    </span>
  );
}
