/** The votes on an interaction that several people must approve, as a part of its life. */
import type { EventOf, UnplacedEvent } from "./event.ts";
import type { InteractionInput, InteractionMove, InteractionRefusal } from "./interaction-input.ts";
import type { Interaction } from "./interaction.ts";
import type { InteractionResponse, Responder } from "./response.ts";
import { isYes, needOf } from "./yes.ts";

type RespondInput = Extract<InteractionInput, { type: "respond" }>;
type VoteEvent = Omit<EventOf<"interaction_vote">, "seq">;

/** Returns the move of an input: an approval is a `vote` until enough people have approved. One denial is enough. */
export function moveOf(interaction: Interaction, input: InteractionInput): InteractionMove {
  if (input.type !== "respond" || !isYes(input.response.action)) return input.type;
  return votesWith(interaction, input).length < needOf(interaction) ? "vote" : "respond";
}

/** Returns the votes that count, including this one. */
function votesWith(
  { votes = [] }: Interaction,
  { by, uncounted = [] }: Pick<RespondInput, "by" | "uncounted">,
): Responder[] {
  const others = votes.filter(
    ({ personId }) =>
      personId !== undefined && personId !== by.personId && !uncounted.includes(personId),
  );
  return [...others, by];
}

/** Returns why this person may not respond. The table in interaction-life.ts decides first whether anyone may. */
export function refusalOfVoter(
  interaction: Interaction,
  input: InteractionInput,
): InteractionRefusal | undefined {
  if (input.type !== "respond" || !interaction.responders) return undefined;
  const { by, isResponder, uncounted = [] } = input;
  if (!isResponder) return "not_responder";
  const { votes = [] } = interaction;
  const hasVoted = votes.some(
    ({ personId = "" }) => personId === by.personId && !uncounted.includes(personId),
  );
  // A person has one vote, on any number of devices.
  return hasVoted && moveOf(interaction, input) === "vote" ? "already_voted" : undefined;
}

/** Returns the event for a vote, without the ids of its interaction. */
export function toVote(
  { votesGiven = 0, approval }: Interaction,
  { by, uncounted = [] }: RespondInput,
): Omit<VoteEvent, "interactionId" | "reopenings" | "turnId"> {
  return {
    type: "interaction_vote",
    at: by.at,
    by,
    digest: approval?.digest ?? "",
    votesGiven: votesGiven + 1,
    ...(uncounted.length > 0 && { uncounted: [...uncounted] }),
  };
}

export function applyVote(
  interaction: Interaction,
  { by, votesGiven, uncounted = [] }: Extract<UnplacedEvent, { type: "interaction_vote" }>,
): Interaction {
  const gone = [by.personId, ...uncounted];
  const others = (interaction.votes ?? []).filter(({ personId }) => !gone.includes(personId));
  return { ...interaction, votes: [...others, by], votesGiven };
}

/** Returns the votes at the final response, which is one of them if it is an approval. Dropped votes are left out. */
export function votesAtEnd(
  interaction: Interaction,
  {
    by,
    response,
    uncounted = [],
  }: Pick<RespondInput, "by"> & {
    readonly response: InteractionResponse;
    readonly uncounted?: readonly string[] | undefined;
  },
): Pick<Interaction, "votes"> {
  if (needOf(interaction) === 1) return {};
  if (isYes(response.action)) return { votes: votesWith(interaction, { by, uncounted }) };
  const { votes } = interaction;
  return votes ? { votes: votes.filter(({ personId = "" }) => !uncounted.includes(personId)) } : {};
}
