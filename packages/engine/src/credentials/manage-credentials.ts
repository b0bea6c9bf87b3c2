import type { Caller, ResultOf } from "@holdpoint/protocol";

import { notFound } from "../lib/errors.ts";
import { toInstant } from "../lib/instant.ts";
import type { Credential } from "../ports/credential-store.ts";
import type { Credentials } from "./credentials.ts";

interface CredentialParts {
  readonly credentials: Credentials;
}

/** The devices that have signed in as the caller's person. Devices of other persons are left out. */
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

/** The tokens of agents that the gateway does not start. The tokens of its own agents are not kept. */
export async function listAgentTokens({
  credentials,
}: CredentialParts): Promise<ResultOf<"listAgentTokens">> {
  const listed = await credentials.list();
  return {
    items: listed.filter(isAgents).map((token) => ({
      tokenId: token.tokenId,
      ...(token.sessionId !== undefined && { sessionId: token.sessionId }),
      ...describe(token),
    })),
  };
}

export async function revokeAgentToken(
  { credentials }: CredentialParts,
  tokenId: string,
): Promise<void> {
  const tokens = (await credentials.list()).filter(isAgents);
  const isListed = tokens.some((token) => token.tokenId === tokenId);
  if (!isListed || !(await credentials.revoke(tokenId))) throw notFound("agent token");
}

function isDeviceOf(caller: Caller): (credential: Credential) => boolean {
  return ({ kind, person }) => kind === "device" && person === caller.person;
}

function isAgents({ kind }: Credential): boolean {
  return kind === "agent";
}

/** What every list says of a credential. */
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
