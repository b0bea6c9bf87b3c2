import type { SignIn } from "@holdpoint/engine";
import { toMarkedString } from "@holdpoint/protocol";

const MAX_NAME = 100;
const MAX_GROUPS = 200;
const MAX_TEXT = 256;

export type Claims = Readonly<Record<string, unknown>>;

/** An issuer's statement about a person, with the person's name. */
export interface Statement extends Omit<SignIn, "confirmedAtMs" | "issuer"> {
  readonly name: string;
}

/**
 * Reads the claims about a person: the signed ID token takes precedence over the user info. An address only counts with
 * its verification from the same source; the two sources are not combined.
 */
export function readClaims(
  subject: string,
  idToken: Claims,
  asked: Claims,
  groups: { readonly claim: string; readonly named: ReadonlySet<string> },
): Statement {
  const email = readEmail("email" in idToken ? idToken : asked);
  const told = { ...asked, ...idToken };
  const names = [told["name"], told["preferred_username"], email, subject];
  return {
    subject,
    ...(email !== undefined && { email }),
    groups: readGroups(told[groups.claim], groups.named),
    name: names.map(toName).find((name) => name !== "") ?? "Somebody",
  };
}

function readEmail({ email, email_verified: isVerified }: Claims): string | undefined {
  const isUsable = typeof email === "string" && email.length <= MAX_TEXT;
  return isUsable && isVerified === true ? email : undefined;
}

/** Limits the number of groups, keeping those in the config first. */
function readGroups(value: unknown, named: ReadonlySet<string>): string[] {
  const all: unknown[] = Array.isArray(value) ? value : [value];
  const texts = all.filter((each): each is string => typeof each === "string");
  const usable = texts.filter((text) => text !== "" && text.length <= MAX_TEXT);
  const kept = [...new Set(usable)].toSorted();
  const others = kept.filter((group) => !named.has(group));
  return [...kept.filter((group) => named.has(group)), ...others].slice(0, MAX_GROUPS);
}

/** A name that is safe to show next to an answer: on one line, without invisible characters. */
function toName(value: unknown): string {
  if (typeof value !== "string") return "";
  const plain = value
    .normalize("NFC")
    .replaceAll(/[\p{C}\p{Z}]+/gu, " ")
    .trim();
  return toMarkedString(plain).slice(0, MAX_NAME).trim();
}
