/**
 * Decides who may see a session and its requests. Pure: depends on the session, the people named by the request, and
 * the viewer. The gateway uses this code, and a store compares the same keys in its queries.
 */
import { keyOfNamed } from "./key-of-named.ts";
import { keysOfVoter, type Voter } from "./may-answer.ts";
import type { Responders } from "./responders.ts";
import { hasRole, type Role } from "./role.ts";
import type { Session } from "./session.ts";

/** A person who wants to see something. Without a role: the gateway, or a program that embeds it. */
export interface Viewer extends Voter {
  readonly role?: Role | undefined;
}

/** What a person may see, as keys that a store compares with the keys of a row. */
export interface Sight {
  /** The keys of the person, and of their groups according to the issuer. */
  readonly keys: readonly string[];
  /** The keys that refer to the person in a responder policy. Empty if the person may not answer anything. */
  readonly names: readonly string[];
}

/** The keys that decide who can see a session or one of its interactions. */
export interface Seen {
  /** The keys of people and groups that can see the session. Absent: everyone. */
  readonly seenBy?: readonly string[] | undefined;
  /** For an interaction with limited responders: the keys in each circle. Empty: it names no one. */
  readonly named?: readonly (readonly string[])[] | undefined;
}

/** Returns what the viewer may see. `undefined`: everything. */
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

/** Whether something may be seen. People named by the policy see a request even in other people's sessions. */
export function maySee({ seenBy, named }: Seen, sight: Sight | undefined): boolean {
  if (!sight || !seenBy || seenBy.some((key) => sight.keys.includes(key))) return true;
  return isNamed(named, sight.names);
}

/** Whether every circle contains one of these keys. */
export function isNamed(named: Seen["named"] = [], names: readonly string[]): boolean {
  return named.length > 0 && named.every((circle) => circle.some((key) => names.includes(key)));
}

/** Whether this person can see the request and may answer it, now or from a later step on. */
export function mayCome({ seenBy, named = [] }: Seen, viewer: Viewer): boolean {
  if (!hasRole(viewer.role ?? "owner", "responder")) return false;
  return named.length > 0
    ? isNamed(named, keysOfVoter(viewer))
    : maySee({ seenBy }, sightOf(viewer));
}

/** Returns the keys that can see a session, from its owner and its groups. */
export function seenByOf({
  belongsTo,
  givenTo = [],
}: Pick<Session, "belongsTo" | "givenTo">): Seen["seenBy"] {
  return belongsTo && [keyOfPerson(belongsTo.personId), ...givenTo.map(keyOfNamed)];
}

/** Returns the keys of everyone that the responders name, now or later, by circle. */
export function namedIn(responders: Responders | undefined): Seen["named"] {
  return responders?.circles.map(({ who, steps = [] }) =>
    [...who, ...steps.flatMap((step) => step.who)].map(keyOfNamed),
  );
}

function keyOfPerson(personId: string): string {
  return `id ${personId}`;
}
