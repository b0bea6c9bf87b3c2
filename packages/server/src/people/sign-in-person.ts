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
 * Takes note of what an issuer has said of a person, for all of their devices and programs: who may no longer come in loses
 * all of them. Resolves to whom a new device is of. Rejects with `NOT_ADMITTED`.
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
      "The issuer knows you, and this gateway's config does not let you in.",
    );
  }
  // What they have open goes on with the rights of before: it is opened again.
  for (const { tokenId, signIn: before } of own) {
    const isSame = before && people.roleOf(before) === role && saysTheSame(before, signIn);
    if (before && !isSame) parts.streams.endOf(tokenId);
  }
  return { person: toOwnName(name, signIn), personId, signIn };
}

/** Ends the device that a browser was before it signed in again. One of anybody else stays. */
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
 * Whom a pairing code is for, as the issuer speaks of them by now: a code outlives what was said when it was made.
 * `undefined` for somebody who has lost all that they had here meanwhile.
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

/** Who may answer what can depend on the address and the groups. */
function saysTheSame(one: SignIn, other: SignIn): boolean {
  const groups = [one, other].map((signIn) => JSON.stringify(signIn.groups.toSorted()));
  return one.email === other.email && groups[0] === groups[1];
}

/**
 * What people are called at an issuer, they may choose themselves: so what the issuer vouches for stands beside it, always and
 * last, and nobody is taken for another person.
 */
function toOwnName(name: string, { email, subject }: SignIn): string {
  const sure = email ?? subject.slice(0, 64);
  return name === sure ? sure : `${name.slice(0, 60)} (${sure})`;
}
