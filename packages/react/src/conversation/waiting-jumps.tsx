import { ArrowDown, ArrowUp } from "lucide-react";
import type { ReactNode } from "react";

import { Button } from "../parts/button.tsx";
import { useWords } from "../words/use-words.ts";
import type { WaitingPlace, WaitingRow } from "./waiting-rows.ts";

interface WaitingJumpsProps {
  readonly place: WaitingPlace;
  readonly onGo: (row: WaitingRow) => void;
  readonly onEnd: () => void;
}

/** Buttons that scroll to pending interactions out of view, or to the end. */
export function WaitingJumps({ place, onGo, onEnd }: WaitingJumpsProps): ReactNode {
  const above = place.above.at(-1);
  const [below] = place.below;
  const say = useWords();
  return (
    <>
      <div className="hp-jumps hp-jumps-above">
        {above !== undefined && (
          <Button
            className="hp-jump hp-jump-waiting"
            icon={<ArrowUp aria-hidden />}
            onClick={() => onGo(above)}
          >
            <Where count={place.above.length} text="{n}{waiting} above" />
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
            <Where count={place.below.length} text="{n}{waiting} below" />
          </Button>
        )}
        {below === undefined && place.farFromEnd && (
          <Button className="hp-jump" icon={<ArrowDown aria-hidden />} onClick={onEnd}>
            {say("Jump to latest")}
          </Button>
        )}
      </div>
    </>
  );
}

interface WhereProps {
  readonly count: number;
  readonly text: "{n}{waiting} above" | "{n}{waiting} below";
}

/** In narrow layouts, "waiting" is for screen readers only: the colour and the status line next to it show it. */
function Where({ count, text }: WhereProps): ReactNode {
  const say = useWords();
  const waiting = <span className="hp-jump-word"> {say("waiting")}</span>;
  return <span>{say.rich(text, { n: count, waiting })}</span>;
}
