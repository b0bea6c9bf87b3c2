import { type Named, type ResponderPolicy, responderPolicySchema } from "@holdpoint/protocol";
import { z } from "zod";

import { UsageError } from "../usage-error.ts";
import type { PeopleConfig } from "./people-config.ts";

export const respondersConfigSchema = z.strictObject({
  default: responderPolicySchema
    .describe(
      "the policy for all requests: `who`, `need` (default 1), `notRequester`, `steps`; see [people.md](people.md#who-may-answer)",
    )
    .optional(),
  /** A person must be included in both. */
  tools: z
    .record(z.string().min(1).max(256), responderPolicySchema)
    .describe("policies by tool name, in addition to the default")
    .optional(),
});
export type RespondersConfig = z.infer<typeof respondersConfigSchema>;

/** Throws `UsageError` if a policy's issuer is ambiguous or unknown, so that it would match no one. */
export function assertIssuersNamed(
  { default: common, tools = {} }: RespondersConfig,
  { issuers = [] }: Partial<PeopleConfig> = {},
): void {
  const named = [...(common ? [common] : []), ...Object.values(tools)].flatMap(namedIn);
  assertKnownIssuers("responders", named, { issuers });
}

/**
 * Throws `UsageError` if an entry under a config key has an ambiguous or unknown issuer, so that it would match no one.
 */
export function assertKnownIssuers(
  key: string,
  entries: readonly { readonly issuer?: string | undefined }[],
  { issuers }: Pick<PeopleConfig, "issuers">,
): void {
  const known = new Set(issuers.map(({ issuer }) => new URL(issuer).href));
  for (const { issuer } of entries) {
    if (issuer === undefined && known.size < 2) continue;
    if (issuer === undefined) {
      throw new UsageError(`With several issuers, each entry of \`${key}\` names its \`issuer\`.`);
    }
    if (URL.canParse(issuer) && known.has(new URL(issuer).href)) continue;
    throw new UsageError(`\`${key}\` names the issuer ${issuer}, which \`people\` does not have.`);
  }
}

/** The groups named by any policy of the config. */
export function groupsNamedIn({ default: common, tools = {} }: RespondersConfig): string[] {
  const policies = [...(common ? [common] : []), ...Object.values(tools)];
  return policies.flatMap(namedIn).flatMap((named) => ("group" in named ? named.group : []));
}

function namedIn({ who = [], steps = [] }: ResponderPolicy): Named[] {
  return [...who, ...steps.flatMap((step) => step.who)];
}
