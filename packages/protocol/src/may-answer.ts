/**
 * Who may answer an interaction: pure, from what was frozen when it was asked, who asks to answer, and the instant. The
 * gateway decides with it, and a page shows with it what it would decide.
 */
import type { Interaction } from "./interaction.ts";
import { keyOfNamed, toKey } from "./key-of-named.ts";
import type { Circle, Named, Responders, SignedInAs } from "./responders.ts";
import type { ResponseAction } from "./response.ts";
import { hasRole, type Role } from "./role.ts";
import { isYes } from "./yes.ts";

/** Who wants to answer. */
export interface Voter {
  readonly personId?: string | undefined;
  /** Absent for whom no issuer vouches. */
  readonly signIn?: SignedInAs | undefined;
}

/** Why a person may not answer so. */
export type ResponderRefusal =
  /** Nobody can say yes. */
  | "blocked"
  /** Others may answer. */
  | "not_named"
  /** A later step names the person. */
  | "not_yet"
  /** The person asked for it, and another one has to say yes. */
  | "requester"
  /** Only people whom an issuer vouches for can say yes. */
  | "not_signed_in";

export type Asked = Pick<Interaction, "notes" | "responders" | "startedAt">;

/**
 * Why this person may not answer so at that instant; `undefined` when they may. Whoever may answer at all may say no; what
 * nobody can say yes to takes a no from everybody.
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

/** Whether the policy lets this person answer at some time. */
export function mayEverAnswer(responders: Responders, voter: Voter): boolean {
  return isInside(responders, voter, Infinity);
}

/**
 * Whether somebody has handed it over to this person. That only brings forward what the policy allows later: it lets nobody
 * answer whom no step would.
 */
export function isHandedTo(notes: Asked["notes"], voter: Voter): boolean {
  // What comes back gives no right that its person has not.
  const handed = notes?.handOvers?.filter(({ back }) => !back) ?? [];
  return fitsSome(
    handed.map(({ to }) => to),
    voter,
  );
}

/**
 * Whether this person has handed it over to others who are asked instead, and it has not come back. It takes no right away:
 * they may answer all the same.
 */
export function hasHandedOver(notes: Asked["notes"], voter: Voter): boolean {
  const { personId } = voter;
  const last = notes?.handOvers?.findLast(
    ({ to, by, instead }) =>
      isMeant(to, voter) || (instead && personId !== undefined && by.personId === personId),
  );
  return last !== undefined && !isMeant(last.to, voter);
}

/** Why this person may not hand it over: only who can allow it brings forward that others can. */
export function refusalOfHandOver(
  asked: Asked,
  voter: Voter,
  at: string,
): ResponderRefusal | undefined {
  return refusalOfResponder(asked, voter, { at, action: "approve" });
}

/** Whether the person writes comments from outside: whoever has the role may, and this one may not answer. */
export function isOutsider(asked: Asked, voter: Voter, at: string): boolean {
  return refusalOfResponder(asked, voter, { at, action: "deny" }) !== undefined;
}

/** The groups that may answer at that instant, as far as the policy names groups. */
export function groupsAt({ responders, startedAt, notes }: Asked, atMs: number): readonly string[] {
  const circles = responders?.circles ?? [];
  const named = circles.flatMap((circle) => namedAt(circle, atMs - Date.parse(startedAt)));
  const handed = notes?.handOvers?.map(({ to }) => to) ?? [];
  const groups = [...named, ...handed].flatMap((one) => ("group" in one ? [one.group] : []));
  return [...new Set(groups)];
}

/** Why one of those who may answer cannot say yes. */
function refusalOfYes(
  { need, requesters }: Responders,
  { personId, signIn }: Voter,
): ResponderRefusal | undefined {
  // Whoever is not known could be one of those who are, or who asked for it.
  const mustBeKnown = need !== undefined || requesters !== undefined;
  if (mustBeKnown && (personId === undefined || !signIn)) return "not_signed_in";
  return personId !== undefined && requesters?.includes(personId) ? "requester" : undefined;
}

function isInside({ circles }: Responders, voter: Voter, sinceMs: number): boolean {
  return circles.every((circle) => fitsSome(namedAt(circle, sinceMs), voter));
}

/** Whom a circle names by then. */
export function namedAt({ who, steps = [] }: Circle, sinceMs: number): readonly Named[] {
  const open = steps.filter(({ afterMs }) => afterMs <= sinceMs);
  return open.length === 0 ? who : [...who, ...open.flatMap((step) => step.who)];
}

/** The next step after that instant: when it is, and whom it names. */
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

/** The same for the same rules, whoever asked. */
export function rulesOf({ circles, need, requesters }: Responders): object {
  return { circles, need: need ?? 1, notRequester: requesters !== undefined };
}

/** Whether this person may answer now, and has neither said yes nor handed it over: what counts as waiting for them, and is told. */
export function isAskedOf(
  asked: Asked & Pick<Interaction, "votes">,
  voter: Voter & { readonly role?: Role | undefined },
  at: string,
): boolean {
  const { personId, role = "owner" } = voter;
  if (!hasRole(role, "responder")) return false;
  const hasVoted = personId !== undefined && asked.votes?.some((by) => by.personId === personId);
  if (hasVoted || hasHandedOver(asked.notes, voter)) return false;
  // Whoever may answer at all may say no.
  return refusalOfResponder(asked, voter, { at, action: "deny" }) === undefined;
}

function fitsSome(named: readonly Named[], voter: Voter): boolean {
  const keys = keysOfVoter(voter);
  return named.some((one) => keys.includes(keyOfNamed(one)));
}

/** Whether a name means this person. */
export function isMeant(named: Named, voter: Voter): boolean {
  return keysOfVoter(voter).includes(keyOfNamed(named));
}

/** As a gateway makes it for whom an issuer vouches. */
const PERSON_ID = /^per_[\w-]{43}$/;

/** All that can name this person. */
export function keysOfVoter({ personId, signIn }: Voter): string[] {
  if (!signIn || personId === undefined) return [];
  const { issuer, subject, email, groups } = signIn;
  const names = [
    personId,
    // What has an `@` names an address, and what looks like an id that person.
    ...(subject.includes("@") || PERSON_ID.test(subject) ? [] : [subject]),
    ...(email?.includes("@") ? [email] : []),
  ];
  return [
    ...names.map((name) => toKey("person", issuer, name)),
    ...groups.map((group) => toKey("group", issuer, group)),
  ];
}
