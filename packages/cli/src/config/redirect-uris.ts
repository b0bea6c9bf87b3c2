import { issuerIdOf, redirectUriOf } from "@holdpoint/server";

import type { Settings } from "./settings.ts";

export interface RedirectUri {
  readonly issuer: string;
  /** Must be registered at the issuer exactly like this. */
  readonly redirectUri: string;
}

/** The redirect URI for each issuer. `url` is the gateway's own address, used if there is no public URL. */
export function redirectUris(
  { people, publicUrl }: Pick<Settings, "people" | "publicUrl">,
  url: string,
): readonly RedirectUri[] {
  const pageUrl = publicUrl ?? url;
  return (people?.issuers ?? []).map((issuer) => ({
    issuer: issuer.issuer,
    redirectUri: redirectUriOf({ pageUrl, issuerId: issuerIdOf(issuer) }),
  }));
}
