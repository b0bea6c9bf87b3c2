/**
 * Who may see a session and what is asked in it: pure, from the session, who was named when it was asked, and who looks. The
 * gateway decides with it, and a store compares the same texts in its own words.
 */
import { keyOfNamed } from "./key-of-named.ts";
import { keysOfVoter, type Voter } from "./may-answer.ts";
import type { Responders } from "./responders.ts";
import { hasRole, type Role } from "./role.ts";
import type { Session } from "./session.ts";

/** Who looks. Without a role: a program that embeds the gateway, or the gateway itself. */
export interface Viewer extends Voter {
  readonly role?: Role | undefined;
}

/** What a person may see, as texts that a store compares with those of a row. */
export interface Sight {
  /** The person, and the groups that the issuer says. */
  readonly keys: readonly string[];
  /** How a responder policy can name the person. Empty for whom may answer nothing. */
  readonly names: readonly string[];
}

/** By whom a session, or an interaction of it, can be seen. */
export interface Seen {
  /** Of the session; absent: by everybody. */
  readonly seenBy?: readonly string[] | undefined;
  /** Of an interaction that not everybody may answer: by circle, who can. Empty: it names nobody. */
  readonly named?: readonly (readonly string[])[] | undefined;
}

/** `undefined`: all. */
export function sightOf(viewer: Viewer): Sight | undefined {
  const { role = "owner", personId, signIn } = viewer;
  if (role === "owner") return undefined;
  if (personId === undefined) return { keys: [], names: [] };
  const { issuer = "", groups = [] } = signIn ?? {};
  return {
    keys: [keyOfPerson(personId), ...groups.map((group) => keyOfNamed({ group, issuer }))],
    names: hasRole(role, "responder") ? keysOfVoter(viewer) : [],
  };
}

/** The decision. Whom a policy names sees what is asked also where the session is not theirs: else the question is lost. */
export function maySee({ seenBy, named }: Seen, sight: Sight | undefined): boolean {
  if (!sight || !seenBy || seenBy.some((key) => sight.keys.includes(key))) return true;
  return isNamed(named, sight.names);
}

/** Whether these are names of somebody in every circle. */
export function isNamed(named: Seen["named"] = [], names: readonly string[]): boolean {
  return named.length > 0 && named.every((circle) => circle.some((key) => names.includes(key)));
}

/** Whether this person sees what is asked and may answer it, now or by a later step. */
export function mayCome({ seenBy, named = [] }: Seen, viewer: Viewer): boolean {
  if (!hasRole(viewer.role ?? "owner", "responder")) return false;
  return named.length > 0
    ? isNamed(named, keysOfVoter(viewer))
    : maySee({ seenBy }, sightOf(viewer));
}

/** By whom a session can be seen that belongs to a person, and was given to groups. */
export function seenByOf({
  belongsTo,
  givenTo = [],
}: Pick<Session, "belongsTo" | "givenTo">): Seen["seenBy"] {
  return belongsTo && [keyOfPerson(belongsTo.personId), ...givenTo.map(keyOfNamed)];
}

/** Whom responders name, now or later. */
export function namedIn(responders: Responders | undefined): Seen["named"] {
  return responders?.circles.map(({ who, steps = [] }) =>
    [...who, ...steps.flatMap((step) => step.who)].map(keyOfNamed),
  );
}

function keyOfPerson(personId: string): string {
  return `id ${personId}`;
}
