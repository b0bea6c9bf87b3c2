/**
 * Decides who may answer an interaction. Pure: depends on the policy frozen at the request, the person, and the time.
 * The gateway enforces the decision, and a page predicts it with the same code.
 */
import type { Interaction } from "./interaction.ts";
import { keyOfNamed, toKey } from "./key-of-named.ts";
import type { Circle, Named, Responders, SignedInAs } from "./responders.ts";
import type { ResponseAction } from "./response.ts";
import { hasRole, type Role } from "./role.ts";
import { isYes } from "./yes.ts";

/** A person who wants to answer. */
export interface Voter {
  readonly personId?: string | undefined;
  /** Absent without a sign-in at an issuer. */
  readonly signIn?: SignedInAs | undefined;
}

/** Why a person may not give an answer. */
export type ResponderRefusal =
  /** No one can approve it. */
  | "blocked"
  /** Only other people may answer. */
  | "not_named"
  /** The person may only answer from a later step on. */
  | "not_yet"
  /** The person is the requester, and someone else has to approve. */
  | "requester"
  /** Only people who signed in at an issuer can approve. */
  | "not_signed_in";

export type Asked = Pick<Interaction, "notes" | "responders" | "startedAt">;

/**
 * Returns why this person may not give this answer at that time, or `undefined` if they may. Everyone who may answer at
 * all may deny. If no one can approve, everyone may deny.
 */
export function refusalOfResponder(
  { responders, startedAt, notes }: Asked,
  voter: Voter,
  { at, action }: { readonly at: string; readonly action: ResponseAction },
): ResponderRefusal | undefined {
  if (!responders) return undefined;
  if (responders.blocked !== undefined) return isYes(action) ? "blocked" : undefined;
  const sinceMs = Date.parse(at) - Date.parse(startedAt);
  if (!isInside(responders, voter, sinceMs)) {
    if (!mayEverAnswer(responders, voter)) return "not_named";
    if (!isHandedTo(notes, voter)) return "not_yet";
  }
  return isYes(action) ? refusalOfYes(responders, voter) : undefined;
}

/** Whether the policy lets this person answer at any time. */
export function mayEverAnswer(responders: Responders, voter: Voter): boolean {
  return isInside(responders, voter, Infinity);
}

/**
 * Whether someone has reassigned it to this person. That only brings a later step of the policy forward: a person who
 * is in no step still cannot answer.
 */
export function isHandedTo(notes: Asked["notes"], voter: Voter): boolean {
  // A return by the gateway grants no right to its recipient.
  const handed = notes?.handOvers?.filter(({ back }) => !back) ?? [];
  return fitsSome(
    handed.map(({ to }) => to),
    voter,
  );
}

/** Whether this person has reassigned it to others, and it was not returned. The person may still answer it. */
export function hasHandedOver(notes: Asked["notes"], voter: Voter): boolean {
  const { personId } = voter;
  const last = notes?.handOvers?.findLast(
    ({ to, by, instead }) =>
      isMeant(to, voter) || (instead && personId !== undefined && by.personId === personId),
  );
  return last !== undefined && !isMeant(last.to, voter);
}

/** Returns why this person may not reassign it. Only people who can approve it may do so. */
export function refusalOfHandOver(
  asked: Asked,
  voter: Voter,
  at: string,
): ResponderRefusal | undefined {
  return refusalOfResponder(asked, voter, { at, action: "approve" });
}

/** Whether the person comments as an outsider. Everyone with the role may comment, even if they may not answer. */
export function isOutsider(asked: Asked, voter: Voter, at: string): boolean {
  return refusalOfResponder(asked, voter, { at, action: "deny" }) !== undefined;
}

/** Returns the groups that may answer at that time, if the policy or a reassignment names groups. */
export function groupsAt({ responders, startedAt, notes }: Asked, atMs: number): readonly string[] {
  const circles = responders?.circles ?? [];
  const named = circles.flatMap((circle) => namedAt(circle, atMs - Date.parse(startedAt)));
  const handed = notes?.handOvers?.map(({ to }) => to) ?? [];
  const groups = [...named, ...handed].flatMap((one) => ("group" in one ? [one.group] : []));
  return [...new Set(groups)];
}

/** Returns why a person who may answer cannot approve. */
function refusalOfYes(
  { need, requesters }: Responders,
  { personId, signIn }: Voter,
): ResponderRefusal | undefined {
  // An unidentified person could be the requester, or someone who has already approved.
  const mustBeKnown = need !== undefined || requesters !== undefined;
  if (mustBeKnown && (personId === undefined || !signIn)) return "not_signed_in";
  return personId !== undefined && requesters?.includes(personId) ? "requester" : undefined;
}

function isInside({ circles }: Responders, voter: Voter, sinceMs: number): boolean {
  return circles.every((circle) => fitsSome(namedAt(circle, sinceMs), voter));
}

/** Returns the people and groups that a circle names `sinceMs` after the request. */
export function namedAt({ who, steps = [] }: Circle, sinceMs: number): readonly Named[] {
  const open = steps.filter(({ afterMs }) => afterMs <= sinceMs);
  return open.length === 0 ? who : [...who, ...open.flatMap((step) => step.who)];
}

/** Returns the time of the next step after `atMs`, and the people and groups it adds. */
export function nextStepOf(
  { responders, startedAt }: Asked,
  atMs: number,
): { readonly atMs: number; readonly who: readonly Named[] } | undefined {
  const startedMs = Date.parse(startedAt);
  const steps = (responders?.circles ?? []).flatMap((circle) => circle.steps ?? []);
  const later = steps.filter(({ afterMs }) => startedMs + afterMs > atMs);
  if (later.length === 0) return undefined;
  const afterMs = Math.min(...later.map((step) => step.afterMs));
  const who = later.filter((step) => step.afterMs === afterMs).flatMap((step) => step.who);
  return { atMs: startedMs + afterMs, who };
}

/** Returns the rules without the requesters' identities, so that equal policies have equal rules. */
export function rulesOf({ circles, need, requesters }: Responders): object {
  return { circles, need: need ?? 1, notRequester: requesters !== undefined };
}

/** Whether this person may answer now, and has neither approved nor reassigned it. Decides counts and notifications. */
export function isAskedOf(
  asked: Asked & Pick<Interaction, "votes">,
  voter: Voter & { readonly role?: Role | undefined },
  at: string,
): boolean {
  const { personId, role = "owner" } = voter;
  if (!hasRole(role, "responder")) return false;
  const hasVoted = personId !== undefined && asked.votes?.some((by) => by.personId === personId);
  if (hasVoted || hasHandedOver(asked.notes, voter)) return false;
  // Everyone who may answer at all may deny.
  return refusalOfResponder(asked, voter, { at, action: "deny" }) === undefined;
}

function fitsSome(named: readonly Named[], voter: Voter): boolean {
  const keys = keysOfVoter(voter);
  return named.some((one) => keys.includes(keyOfNamed(one)));
}

/** Whether a name refers to this person. */
export function isMeant(named: Named, voter: Voter): boolean {
  return keysOfVoter(voter).includes(keyOfNamed(named));
}

/** The form of the ids that a gateway assigns to people who sign in at an issuer. */
const PERSON_ID = /^per_[\w-]{43}$/;

/** Returns all keys that can refer to this person. */
export function keysOfVoter({ personId, signIn }: Voter): string[] {
  if (!signIn || personId === undefined) return [];
  const { issuer, subject, email, groups } = signIn;
  const names = [
    personId,
    // A policy would read a subject with an `@` as an email address, and one in the form of an id as that id.
    ...(subject.includes("@") || PERSON_ID.test(subject) ? [] : [subject]),
    ...(email?.includes("@") ? [email] : []),
  ];
  return [
    ...names.map((name) => toKey("person", issuer, name)),
    ...groups.map((group) => toKey("group", issuer, group)),
  ];
}
