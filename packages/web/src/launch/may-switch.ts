import { ClientError, type SignedInDevice } from "@holdpoint/client";
import { type Person, personKeyOf, ProtocolError } from "@holdpoint/protocol";

/** How a browser finds out whether a sign-in would replace its person. */
export interface Switching {
  /** Rejects like a transport. */
  readonly readPerson: (device: SignedInDevice) => Promise<Person>;
  /** Asks the person at the browser. Resolves to whether they want to switch. */
  readonly ask: (from: Person, to: Person) => Promise<boolean>;
  /** Revokes a sign-in. */
  readonly revoke: (device: SignedInDevice) => Promise<unknown>;
}

/**
 * Whether a link may replace the sign-in of this browser. It may do so without a question for the same person, and if
 * the old sign-in has ended. A refused sign-in is revoked.
 */
export async function maySwitch(
  before: SignedInDevice,
  next: SignedInDevice,
  { readPerson, ask, revoke }: Switching,
): Promise<boolean> {
  const from = await readPerson(before).catch(unlessEnded);
  if (from === undefined) return true;
  const to = await readPerson(next);
  if (personKeyOf(from) === personKeyOf(to)) return true;
  if (await ask(from, to)) return true;
  await revoke(next).catch(() => undefined); // Nobody has its key: it expires unused.
  return false;
}

/** `undefined` for a sign-in of no use: it has ended or was revoked, or belongs to another gateway. */
function unlessEnded(error: unknown): undefined {
  const isEnded =
    ProtocolError.isInstance(error) &&
    (error.code === "UNAUTHENTICATED" || error.code === "CREDENTIAL_ENDED");
  const isElsewhere = ClientError.isInstance(error) && error.code === "GATEWAY_UNKNOWN";
  if (!isEnded && !isElsewhere) throw error;
}
