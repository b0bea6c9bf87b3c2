import type { Interaction } from "@holdpoint/protocol";
import { useLayoutEffect, useRef, type ReactNode, type RefObject } from "react";

import { useHadFocus } from "../cards/shared/use-had-focus.ts";
import { useWords } from "../words/use-words.ts";
import { ConnectedCard } from "./connected-card.tsx";
import { Disclosure } from "./disclosure.tsx";

/** The cards of one tool call. A reprompt replaces the previous round; earlier rounds remain available as history. */
export function InteractionRounds({
  interactions,
}: {
  readonly interactions: readonly Interaction[];
}): ReactNode {
  const chains = toChains(interactions);
  return chains.map((chain) => <Rounds key={firstOf(chain).interactionId} {...chain} />);
}

/** The current round, with a line that opens the earlier ones. */
function Rounds({ current, earlier }: Chain): ReactNode {
  const slot = useFocusAcrossRounds(current.interactionId);
  const first = firstOf({ current, earlier });
  const say = useWords();
  return (
    <div className="hp-rounds">
      {earlier.length > 0 && (
        <Disclosure
          name={`rounds ${first.interactionId}`}
          className="hp-rounds-earlier"
          summary={say("{count} earlier answer|{count} earlier answers", { count: earlier.length })}
        >
          {() =>
            earlier.map((round) => (
              <ConnectedCard key={round.interactionId} interaction={round} askedAgain />
            ))
          }
        </Disclosure>
      )}
      <div ref={slot}>
        <ConnectedCard interaction={current} />
      </div>
    </div>
  );
}

/**
 * If the next round replaces a focused one, it takes the focus, so that the focus is not lost to the page. A focus
 * elsewhere stays there.
 */
function useFocusAcrossRounds(interactionId: string): RefObject<HTMLDivElement | null> {
  const slot = useRef<HTMLDivElement>(null);
  const shown = useRef(interactionId);
  const hadFocus = useHadFocus(slot);
  useLayoutEffect(() => {
    if (shown.current === interactionId) return;
    shown.current = interactionId;
    if (hadFocus()) {
      slot.current?.querySelector<HTMLElement>("article")?.focus({ preventScroll: true });
    }
  }, [interactionId, hadFocus]);
  return slot;
}

function firstOf({ current, earlier }: Chain): Interaction {
  return earlier[0] ?? current;
}

interface Chain {
  readonly current: Interaction;
  readonly earlier: readonly Interaction[];
}

/** Chains of interactions linked by `previousId`, each in the order of its rounds. */
export function toChains(interactions: readonly Interaction[]): readonly Chain[] {
  const chains: Interaction[][] = [];
  for (const interaction of interactions) {
    const chain = chains.find((rounds) => rounds.at(-1)?.interactionId === interaction.previousId);
    if (chain === undefined) chains.push([interaction]);
    else chain.push(interaction);
  }
  return chains.flatMap((rounds) => {
    const current = rounds.at(-1);
    return current === undefined ? [] : [{ current, earlier: rounds.slice(0, -1) }];
  });
}
