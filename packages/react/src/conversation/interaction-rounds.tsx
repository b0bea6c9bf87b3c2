import type { Interaction } from "@holdpoint/protocol";
import type { ReactNode } from "react";

import { ConnectedCard } from "./connected-card.tsx";
import { Disclosure } from "./disclosure.tsx";

/**
 * The cards of one tool call. A reprompt takes the place of the round before it; the earlier rounds stay reachable
 * as history.
 */
export function InteractionRounds({
  interactions,
}: {
  readonly interactions: readonly Interaction[];
}): ReactNode {
  const chains = toChains(interactions);
  return chains.map(({ current, earlier }) => (
    <div key={earlier[0]?.interactionId ?? current.interactionId} className="hp-rounds">
      {earlier.length > 0 && (
        <Disclosure
          name={`rounds ${current.interactionId}`}
          className="hp-rounds-earlier"
          summary={earlier.length === 1 ? "1 earlier answer" : `${earlier.length} earlier answers`}
        >
          {() =>
            earlier.map((round) => <ConnectedCard key={round.interactionId} interaction={round} />)
          }
        </Disclosure>
      )}
      <ConnectedCard key={current.interactionId} interaction={current} />
    </div>
  ));
}

interface Chain {
  readonly current: Interaction;
  readonly earlier: readonly Interaction[];
}

/** Interactions linked by `previousId`, each chain in the order in which its rounds were asked. */
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
