import {
  detailsOf,
  drainingError,
  factsOf,
  OPERATION_REACH,
  ProtocolError,
  refusalOfAccess,
  type Caller,
  type OperationName,
  refusal,
  saying,
  sightOf,
} from "@holdpoint/protocol";

import { assertSeesInteraction, assertSeesSession } from "../lib/seen-rows.ts";
import type { Core } from "./core.ts";

/** Throws `FORBIDDEN` unless the caller may follow streams. An agent reads nothing. */
export function assertMayFollow(caller: Caller): void {
  assertAccess(caller, { access: "person", method: "GET", role: "viewer" });
}

/**
 * Checked before every operation, as the tables of operations say: the caller may ask for it, a gateway that is stopping
 * takes reads only, and only a client with interaction switched on answers.
 */
export function assertMayCall(core: Core, caller: Caller, name: OperationName): void {
  const { method, responds, role } = factsOf(name);
  assertAccess(caller, { access: detailsOf(name).access, method, role });
  if (method !== "GET" && core.draining.aborted) throw drainingError();
  if (responds) assertMayDecide(core, caller);
}

/**
 * The one door behind which what belongs to other people is: throws `NOT_FOUND` for it, as for what is not there. What is
 * `filtered` asks its store for no more than the caller may see.
 */
export async function assertReaches(
  { store }: Pick<Core, "store">,
  caller: Caller,
  name: OperationName,
  id: unknown,
): Promise<void> {
  const sight = sightOf(caller);
  if (!sight) return;
  const reach = OPERATION_REACH[name];
  if (reach === "session") await assertSeesSession(store, String(id), sight);
  if (reach === "interaction") await assertSeesInteraction(store, String(id), sight);
}

/** Only a client with interaction switched on decides anything for its person. */
export function assertMayDecide({ presence }: Pick<Core, "presence">, caller: Caller): void {
  if (!presence.mayAnswer(caller)) {
    throw refusal("INTERACTION_DISABLED", saying("interaction_off"));
  }
}

function assertAccess(caller: Caller, wanted: Parameters<typeof refusalOfAccess>[1]): void {
  const refusal = refusalOfAccess(caller, wanted);
  if (refusal !== undefined) throw new ProtocolError("FORBIDDEN", refusal);
}
