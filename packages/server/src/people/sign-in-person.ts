import type { Credentials, Holder, SignIn } from "@holdpoint/engine";
import { ProtocolError } from "@holdpoint/protocol";

import type { StreamRegistry } from "../streams/stream-registry.ts";
import type { Confirmed, People } from "./people.ts";
import { toPersonId } from "./person-id.ts";

interface SignInPersonParts {
  readonly people: Pick<People, "roleOf">;
  readonly credentials: Credentials;
  readonly streams: Pick<StreamRegistry, "endOf">;
}

/**
 * Records an issuer's confirmation for all of the person's devices and programs. A person who is no longer admitted
 * loses them all. Resolves to the holder of a new device. Rejects with `NOT_ADMITTED`.
 */
export async function signInPerson(
  parts: SignInPersonParts,
  confirmed: Confirmed,
): Promise<Holder> {
  const { people, credentials } = parts;
  const { signIn, name } = confirmed;
  const personId = toPersonId(signIn);
  const known = await credentials.list();
  const own = known.filter((credential) => credential.personId === personId);
  await credentials.confirm(personId, signIn);
  const role = people.roleOf(signIn);
  if (role === undefined) {
    for (const { tokenId } of own) await credentials.revoke(tokenId);
    throw new ProtocolError(
      "NOT_ADMITTED",
      "The issuer knows you, but this gateway's config does not let you in.",
    );
  }
  // Open streams keep the rights that they were opened with, so they are closed to be opened again.
  for (const { tokenId, signIn: before } of own) {
    const isSame = before && people.roleOf(before) === role && saysTheSame(before, signIn);
    if (before && !isSame) parts.streams.endOf(tokenId);
  }
  return { person: toOwnName(name, signIn), personId, signIn };
}

/** Revokes a browser's previous device credential after it signed in again, if it belongs to the same person. */
export async function endReplaced(
  credentials: Pick<Credentials, "list" | "revoke">,
  { personId }: Holder,
  deviceId: string,
): Promise<void> {
  const known = (await credentials.list()).find(({ tokenId }) => tokenId === deviceId);
  const isOwn = known?.kind === "device" && known.personId === personId;
  if (isOwn) await credentials.revoke(deviceId);
}

/**
 * The person a pairing code belongs to, with their current claims (a code can outlive the claims it was made with).
 * `undefined` for a person who has lost all credentials in the meantime.
 */
export async function renewHolder(
  credentials: Pick<Credentials, "list">,
  holder: Holder,
): Promise<Holder | undefined> {
  if (holder.personId === undefined) return holder;
  const known = await credentials.list();
  const own = known.find(({ personId }) => personId === holder.personId);
  return own?.signIn && { ...holder, signIn: own.signIn };
}

/** Answer policies can depend on the address and the groups. */
function saysTheSame(one: SignIn, other: SignIn): boolean {
  const groups = [one, other].map((signIn) => JSON.stringify(signIn.groups.toSorted()));
  return one.email === other.email && groups[0] === groups[1];
}

/**
 * The name to show. People may choose their own name at an issuer, so the verified address or subject is always
 * appended, and no one can pass for another person.
 */
function toOwnName(name: string, { email, subject }: SignIn): string {
  const sure = email ?? subject.slice(0, 64);
  return name === sure ? sure : `${name.slice(0, 60)} (${sure})`;
}
