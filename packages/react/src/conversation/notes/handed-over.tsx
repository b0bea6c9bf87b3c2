import { type HandOver, isAnswerable, isAskedOf, type Interaction } from "@holdpoint/protocol";
import type { ReactNode } from "react";

import { useOwnPerson } from "../../hooks/use-own-person.ts";
import { useUiClock } from "../../parts/ui-clock.tsx";
import { BriefText } from "../../parts/visible-text.tsx";
import { useWords } from "../../words/use-words.ts";

/** A person's last hand-over, and whether the request has been returned to them. */
function lastHandOver({ notes }: Interaction): [handed: HandOver | undefined, isBack: boolean] {
  const handOvers = notes?.handOvers ?? [];
  const last = handOvers.at(-1);
  if (!last?.back || !("person" in last.to)) return [last, false];
  const { person } = last.to;
  return [handOvers.findLast(({ by, instead }) => instead && by.personId === person), true];
}

/** The last hand-over. The person who handed over also sees whether they are still asked. */
export function HandedOver({ interaction }: { readonly interaction: Interaction }): ReactNode {
  const say = useWords();
  const person = useOwnPerson();
  const nowMs = useUiClock().now();
  const [handed, isBack] = lastHandOver(interaction);
  if (!handed) return null;
  const { by, to, instead } = handed;
  const people = <BriefText text={"group" in to ? to.group : to.person} />;
  const isOwn = person?.personId !== undefined && by.personId === person.personId;
  if (isBack) {
    const text = isOwn
      ? "Returned to you after it was handed over to {people}: too few others could answer."
      : "Returned to {who} after it was handed over to {people}: too few others could answer.";
    return <span>{say.rich(text, { people, who: <BriefText text={by.person} /> })} </span>;
  }
  const isStillAsked =
    isOwn &&
    !instead &&
    isAnswerable(interaction) &&
    isAskedOf(interaction, person, new Date(nowMs).toISOString());
  if (isStillAsked) {
    const text =
      "Handed over to {people}, but still assigned to you: too few others have signed in.";
    return <span>{say.rich(text, { people })} </span>;
  }
  return (
    <span>
      {isOwn
        ? say.rich("You handed it over to {people}.", { people })
        : say.rich("{who} handed it over to {people}.", {
            who: <BriefText text={by.person} />,
            people,
          })}{" "}
    </span>
  );
}
