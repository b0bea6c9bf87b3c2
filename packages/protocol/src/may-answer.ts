/**
 * Who may answer an interaction: pure, from what was frozen when it was asked, who asks to answer, and the instant. The
 * gateway decides with it, and a page shows with it what it would decide.
 */
import type { Interaction } from "./interaction.ts";
import type { Circle, Named, Responders, SignedInAs } from "./responders.ts";
import type { ResponseAction } from "./response.ts";
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

export type Asked = Pick<Interaction, "responders" | "startedAt">;

/**
 * Why this person may not answer so at that instant; `undefined` when they may. Whoever may answer at all may say no; what
 * nobody can say yes to takes a no from everybody.
 */
export function refusalOfResponder(
  { responders, startedAt }: Asked,
  voter: Voter,
  { at, action }: { readonly at: string; readonly action: ResponseAction },
): ResponderRefusal | undefined {
  if (!responders) return undefined;
  if (responders.blocked !== undefined) return isYes(action) ? "blocked" : undefined;
  const sinceMs = Date.parse(at) - Date.parse(startedAt);
  if (!isInside(responders, voter, sinceMs)) {
    return isInside(responders, voter, Infinity) ? "not_yet" : "not_named";
  }
  return isYes(action) ? refusalOfYes(responders, voter) : undefined;
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

function fitsSome(named: readonly Named[], voter: Voter): boolean {
  return named.some((one) => fits(one, voter));
}

/** What one issuer says of a person says nothing of a name that another one gives. */
function fits(named: Named, { personId, signIn }: Voter): boolean {
  if (!signIn || personId === undefined || signIn.issuer !== named.issuer) return false;
  if ("group" in named) return signIn.groups.includes(named.group);
  const { person } = named;
  if (person === personId) return true;
  if (!person.includes("@")) return person === signIn.subject;
  return signIn.email !== undefined && toSameCase(person) === toSameCase(signIn.email);
}

/** Only the letters of ASCII: other scripts have capitals that are another letter than they look. */
function toSameCase(email: string): string {
  return email.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
