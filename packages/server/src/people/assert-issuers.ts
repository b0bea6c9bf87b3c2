import { ServerError } from "../server-error.ts";
import { isSafeAddress } from "./bounded-fetch.ts";
import { issuerIdOf, type PeopleOptions } from "./people-options.ts";
import { toIssuerKey } from "./person-id.ts";

/** Throws `ServerError` for issuers that can be impersonated on the network, or that have the same URL or id. */
export function assertIssuers({ issuers }: Pick<PeopleOptions, "issuers">): void {
  for (const { issuer } of issuers) {
    if (isSafeAddress(new URL(issuer))) continue;
    throw new ServerError("BAD_CONFIG", `The issuer ${issuer} must have an https address.`);
  }
  const twice = findTwice(issuers.map(({ issuer }) => toIssuerKey(issuer)));
  if (twice !== undefined) throw new ServerError("BAD_CONFIG", `Two issuers are ${twice}.`);
  const id = findTwice(issuers.map(issuerIdOf));
  if (id === undefined) return;
  throw new ServerError("BAD_CONFIG", `Two issuers have the id ${id}. Give one of them an \`id\`.`);
}

function findTwice(texts: readonly string[]): string | undefined {
  return texts.find((text, index) => texts.indexOf(text) !== index);
}
