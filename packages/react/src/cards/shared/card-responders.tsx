import {
  type Block,
  type Interaction,
  namedAt,
  type Named,
  needOf,
  nextStepOf,
} from "@holdpoint/protocol";
import { Users } from "lucide-react";
import type { ReactNode } from "react";

import { ClockTime } from "../../parts/relative-time.tsx";
import { useUiClock } from "../../parts/ui-clock.tsx";
import { VisibleText } from "../../parts/visible-text.tsx";
import { useWords, type Say, type Words } from "../../words/use-words.ts";
import type { OwnRight, RespondersNoticeProps } from "./own-right-context.ts";

const BLOCK_WORDS: Readonly<Record<Block, Words>> = {
  nobody_signs_in:
    "No one can allow it: approval requires people signed in with an issuer, and the gateway has no issuer.",
  requester_unknown:
    "No one can allow it: someone other than the requester must, and the requester is not signed in with an issuer.",
  too_few: "No one can allow it: it requires more people than are named.",
  issuer_unclear: "No one can allow it: the issuer of the named people is not specified.",
};

/** Lists the possible responders, the votes so far, how many are missing, and who can answer later. */
export function CardResponders({ interaction, own }: RespondersNoticeProps): ReactNode {
  const say = useWords();
  const nowMs = useUiClock().now();
  const { responders, votes = [] } = interaction;
  if (!responders) return null;
  const need = needOf(interaction);
  const next = nextStepOf(interaction, nowMs);
  const people = peopleOf(interaction, nowMs, say);
  const ownWords = toOwnWords(own);
  return (
    <div className="hp-card-notice hp-card-notice-past hp-card-responders">
      <Users aria-hidden />
      <p>
        {people !== "" &&
          say.rich("Who can answer: {people}.", {
            people: <VisibleText text={people} short />,
          })}{" "}
        {need > 1 && say("{count} people must allow it, exactly as shown.", { count: need })}{" "}
        {votes.length > 0 &&
          say.rich("Allowed so far by {people}.", {
            people: <VisibleText text={votes.map(({ person }) => person).join(", ")} short />,
          })}{" "}
        {votes.length > 0 &&
          say("One more is needed.|{count} more are needed.", { count: need - votes.length })}{" "}
        {next !== undefined &&
          say.rich("From {when} also {people}.", {
            when: <ClockTime at={new Date(next.atMs).toISOString()} />,
            people: <VisibleText text={toNames(next.who, say)} short />,
          })}{" "}
        {responders.blocked !== undefined && (
          <strong>{say(BLOCK_WORDS[responders.blocked])}</strong>
        )}
        {ownWords !== undefined && <strong>{say(ownWords)}</strong>}
      </p>
    </div>
  );
}

/** A sentence about this person only, in addition to the notice for everyone. */
function toOwnWords({ allow, answer }: OwnRight): Words | undefined {
  if (answer !== undefined) return undefined;
  switch (allow) {
    case "voted":
      return "You have allowed it. You can still deny it.";
    case "requester":
      return "You asked for this, so someone else must allow it.";
    case "not_signed_in":
      return "Only people signed in with an issuer can allow it.";
    case "blocked":
    case "not_named":
    case "not_yet":
    case undefined:
      return undefined;
  }
}

/** The names of the people who can answer. Each policy narrows the previous ones. */
function peopleOf({ responders, startedAt }: Interaction, nowMs: number, say: Say): string {
  const circles = responders?.circles ?? [];
  const sinceMs = nowMs - Date.parse(startedAt);
  return circles
    .map((circle) => toNames(namedAt(circle, sinceMs), say))
    .reduce(
      (people, others) =>
        people === "" ? others : say("{people}, limited to {others}", { people, others }),
      "",
    );
}

function toNames(named: readonly Named[], say: Say): string {
  const names = named.map((one) =>
    "group" in one ? say("everyone in {group}", { group: one.group }) : one.person,
  );
  return [...new Set(names)].join(", ");
}
