/**
 * How policies are joined. Each of them stays whole, and every one has to let a person answer: so what is joined is never
 * wider than any of its parts, whoever wrote them. An agent that asks with a policy of its own can only narrow.
 */
import type { Named, ResponderPolicy, Responders } from "./responders.ts";

/** What policies come to, before it is known for whom it is asked. */
export interface JoinedPolicy {
  readonly circles: Responders["circles"];
  readonly need: number;
  readonly notRequester: boolean;
}

/**
 * - `who` and its `steps`: a person must be among those of every policy. A step adds people to its own policy alone.
 * - `need`: the highest.
 * - `notRequester`: if any says so.
 */
export function joinPolicies(policies: readonly ResponderPolicy[]): JoinedPolicy {
  return {
    circles: policies.flatMap(({ who, steps }) => (who ? [{ who, ...(steps && { steps }) }] : [])),
    need: Math.max(1, ...policies.map(({ need = 1 }) => need)),
    notRequester: policies.some(({ notRequester }) => notRequester === true),
  };
}

/** Whether it says anything at all. */
export function isOpenToAll({ circles, need, notRequester }: JoinedPolicy): boolean {
  return circles.length === 0 && need === 1 && !notRequester;
}

/** For whom and where it is asked. */
export interface AskedFor {
  /** The addresses of the issuers that people sign in at. */
  readonly issuers: readonly string[];
  /** Person ids of who asked for it; one that is `undefined` is not known. */
  readonly requesters: readonly (string | undefined)[];
}

/** Writes down who may answer from now on. Where nobody could ever say yes, it says why. */
export function freezePolicy(joined: JoinedPolicy, asked: AskedFor): Responders {
  const { need, notRequester } = joined;
  const circles = joined.circles.map(({ who, steps }) => ({
    who: who.map((named) => withIssuer(named, asked.issuers)),
    ...(steps && {
      steps: steps.map((step) => ({
        ...step,
        who: step.who.map((named) => withIssuer(named, asked.issuers)),
      })),
    }),
  }));
  const blocked = blockOf({ ...joined, circles }, asked);
  const requesters = [...new Set(asked.requesters.filter((id) => id !== undefined))];
  return {
    circles,
    ...(need > 1 && { need }),
    ...(notRequester && { requesters }),
    ...(blocked !== undefined && { blocked }),
  };
}

/** The only issuer is meant where none is named; one that is named may be written otherwise. */
export function withIssuer(named: Named, issuers: readonly string[]): Named {
  const { issuer } = named;
  const [only] = issuers.length === 1 ? issuers : [];
  const meant = issuer === undefined ? only : issuers.find((known) => isSameAddress(known, issuer));
  return meant === undefined ? named : { ...named, issuer: meant };
}

function isSameAddress(one: string, other: string): boolean {
  return URL.canParse(one) && URL.canParse(other) && new URL(one).href === new URL(other).href;
}

function blockOf(
  { circles, need, notRequester }: JoinedPolicy,
  { issuers, requesters }: AskedFor,
): Responders["blocked"] {
  if (issuers.length === 0) return "nobody_signs_in";
  if (circles.some(hasUnclearIssuer)) return "issuer_unclear";
  const isKnown = requesters.length > 0 && requesters.every((id) => id !== undefined);
  if (notRequester && !isKnown) return "requester_unknown";
  return circles.some((circle) => mostOf(circle) < need) ? "too_few" : undefined;
}

function hasUnclearIssuer(circle: Responders["circles"][number]): boolean {
  return allOf(circle).some(({ issuer }) => issuer === undefined);
}

/** How many people it names at most; nobody knows how many a group has. */
function mostOf(circle: Responders["circles"][number]): number {
  const named = allOf(circle);
  if (named.some((one) => "group" in one)) return Infinity;
  return new Set(named.map((one) => JSON.stringify([one.issuer, one]))).size;
}

function allOf({ who, steps = [] }: Responders["circles"][number]): readonly Named[] {
  return [...who, ...steps.flatMap((step) => step.who)];
}
