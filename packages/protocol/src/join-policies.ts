/**
 * Joins responder policies. Each one stays intact, and each must let a person answer. So a joined policy is never wider
 * than any of its parts, regardless of their authors. An agent that adds a policy to its request can only narrow it.
 */
import type { Named, ResponderPolicy, Responders } from "./responders.ts";

/** The result of joining policies, independent of a specific request. */
export interface JoinedPolicy {
  readonly circles: Responders["circles"];
  readonly need: number;
  readonly notRequester: boolean;
}

/**
 * - `who` and its `steps`: a person must be named by every policy. A step adds people only to its own policy.
 * - `need`: the highest number counts.
 * - `notRequester`: applies if any policy sets it.
 */
export function joinPolicies(policies: readonly ResponderPolicy[]): JoinedPolicy {
  return {
    circles: policies.flatMap(({ who, steps }) => (who ? [{ who, ...(steps && { steps }) }] : [])),
    need: Math.max(1, ...policies.map(({ need = 1 }) => need)),
    notRequester: policies.some(({ notRequester }) => notRequester === true),
  };
}

/** Whether the policy has no restriction at all. */
export function isOpenToAll({ circles, need, notRequester }: JoinedPolicy): boolean {
  return circles.length === 0 && need === 1 && !notRequester;
}

/** The circumstances of a request. */
export interface AskedFor {
  /** The addresses of the issuers where people sign in. */
  readonly issuers: readonly string[];
  /** The person ids of the requesters. `undefined` stands for an unknown person. */
  readonly requesters: readonly (string | undefined)[];
}

/** Fixes who may answer a request. If no one could ever approve it, the result contains the reason. */
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

/** Adds the issuer if it is missing and there is only one. Normalizes the spelling of a given issuer. */
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

/** Returns the most people that the circle can name. Infinite for groups, whose size is unknown. */
function mostOf(circle: Responders["circles"][number]): number {
  const named = allOf(circle);
  if (named.some((one) => "group" in one)) return Infinity;
  return new Set(named.map((one) => JSON.stringify([one.issuer, one]))).size;
}

function allOf({ who, steps = [] }: Responders["circles"][number]): readonly Named[] {
  return [...who, ...steps.flatMap((step) => step.who)];
}
