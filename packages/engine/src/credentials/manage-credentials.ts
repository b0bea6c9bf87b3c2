import { type Caller, personKeyOf, type ResultOf } from "@holdpoint/protocol";

import { notFound } from "../lib/errors.ts";
import { toInstant } from "../lib/instant.ts";
import type { Credential, Holder } from "../ports/credential-store.ts";
import { assertReadable } from "./agent-label.ts";
import type { Credentials } from "./credentials.ts";

interface CredentialParts {
  readonly credentials: Credentials;
}

/** The devices that have signed in as the caller's person. Other people's devices are left out. */
export async function listDevices(
  { credentials }: CredentialParts,
  caller: Caller,
): Promise<ResultOf<"listDevices">> {
  const listed = await credentials.list();
  return {
    items: listed.filter(isDeviceOf(caller)).map((device) => ({
      deviceId: device.tokenId,
      current: device.tokenId === caller.tokenId,
      ...describe(device),
    })),
  };
}

export async function revokeDevice(
  { credentials }: CredentialParts,
  caller: Caller,
  deviceId: string,
): Promise<void> {
  const devices = (await credentials.list()).filter(isDeviceOf(caller));
  const isTheirs = devices.some(({ tokenId }) => tokenId === deviceId);
  if (!isTheirs || !(await credentials.revoke(deviceId))) throw notFound("device");
}

export async function renameDevice(
  { credentials }: CredentialParts,
  caller: Caller,
  { deviceId, label }: { readonly deviceId: string; readonly label: string },
): Promise<void> {
  assertReadable(label);
  const devices = (await credentials.list()).filter(isDeviceOf(caller));
  const isTheirs = devices.some(({ tokenId }) => tokenId === deviceId);
  if (!isTheirs || !(await credentials.rename(deviceId, label))) throw notFound("device");
}

/** Tokens of the person's agents that the gateway does not start. Tokens for its own agents are not stored. */
export async function listAgentTokens(
  { credentials }: CredentialParts,
  caller: Caller,
): Promise<ResultOf<"listAgentTokens">> {
  const listed = await credentials.list();
  return {
    items: listed.filter(isAgentOf(caller)).map((token) => ({
      tokenId: token.tokenId,
      ...(token.sessionId !== undefined && { sessionId: token.sessionId }),
      ...describe(token),
    })),
  };
}

/** Resolves to the revoked credential. */
export async function revokeAgentToken(
  { credentials }: CredentialParts,
  caller: Caller,
  tokenId: string,
): Promise<Credential> {
  const tokens = (await credentials.list()).filter(isAgentOf(caller));
  const listed = tokens.find((token) => token.tokenId === tokenId);
  if (!listed || !(await credentials.revoke(tokenId))) throw notFound("agent token");
  return listed;
}

function isDeviceOf(caller: Caller): (credential: Credential) => boolean {
  return (credential) => credential.kind === "device" && isOf(caller, credential);
}

function isAgentOf(caller: Caller): (credential: Credential) => boolean {
  return (credential) => credential.kind === "agent" && isOf(caller, credential);
}

/** Whether a credential belongs to the caller's person. Names alone do not decide this. */
export function isOf(caller: Caller, credential: Credential): boolean {
  return personKeyOf(credential) === personKeyOf(caller);
}

/**
 * The holder of a new credential for the caller: the same person, with the same sign-in. Rejects with `NOT_FOUND` when
 * the caller's own credential has been revoked, since the new one would otherwise belong to the owner.
 */
export async function holderOf(
  { credentials }: CredentialParts,
  { person, personId, tokenId }: Caller,
): Promise<Holder> {
  if (personId === undefined) return { person };
  const own = (await credentials.list()).find((credential) => credential.tokenId === tokenId);
  if (!own?.signIn) throw notFound("sign-in");
  return { person, personId, signIn: own.signIn };
}

/** The fields that all lists of credentials share. */
export function describe({ label, createdAtMs, lastUsedAtMs }: Credential): {
  label: string;
  createdAt: string;
  lastUsedAt?: string;
} {
  return {
    label,
    createdAt: toInstant(createdAtMs),
    ...(lastUsedAtMs !== undefined && { lastUsedAt: toInstant(lastUsedAtMs) }),
  };
}
