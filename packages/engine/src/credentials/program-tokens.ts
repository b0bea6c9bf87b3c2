import type { Caller, ProgramToken, ProgramTokenBody, ResultOf } from "@holdpoint/protocol";

import { notFound } from "../lib/errors.ts";
import { toInstant } from "../lib/instant.ts";
import type { Clock } from "../ports/clock.ts";
import type { Credential } from "../ports/credential-store.ts";
import type { Credentials } from "./credentials.ts";
import { describe, holderOf, isOf } from "./manage-credentials.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

interface ProgramTokenParts {
  readonly credentials: Credentials;
  readonly clock: Pick<Clock, "now">;
}

export async function createProgramToken(
  { credentials, clock }: ProgramTokenParts,
  caller: Caller,
  { label, scope, expiresInDays }: ProgramTokenBody,
): Promise<ProgramToken> {
  const expiresAtMs = clock.now() + expiresInDays * DAY_MS;
  const holder = await holderOf({ credentials }, caller);
  const wanted = { kind: "program", ...holder, label, scope, expiresAtMs } as const;
  const { token, credential } = await credentials.issue(wanted);
  return { token, tokenId: credential.tokenId, expiresAt: toInstant(expiresAtMs) };
}

/** Expired tokens are left out. */
export async function listProgramTokens(
  { credentials, clock }: ProgramTokenParts,
  caller: Caller,
): Promise<ResultOf<"listProgramTokens">> {
  const listed = await credentials.list();
  return {
    items: listed.flatMap((credential) => {
      const { tokenId, scope, expiresAtMs } = credential;
      if (!isProgramOf(caller, credential) || !scope || expiresAtMs === undefined) return [];
      if (expiresAtMs <= clock.now()) return [];
      return [{ tokenId, scope, expiresAt: toInstant(expiresAtMs), ...describe(credential) }];
    }),
  };
}

export async function revokeProgramToken(
  { credentials }: ProgramTokenParts,
  caller: Caller,
  tokenId: string,
): Promise<void> {
  const listed = await credentials.list();
  const theirs = listed.some((each) => each.tokenId === tokenId && isProgramOf(caller, each));
  if (!theirs || !(await credentials.revoke(tokenId))) throw notFound("program token");
}

function isProgramOf(caller: Caller, credential: Credential): boolean {
  return credential.kind === "program" && isOf(caller, credential);
}
