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

/** Throws `FORBIDDEN` unless the caller may follow streams. Agents cannot read anything. */
export function assertMayFollow(caller: Caller): void {
  assertAccess(caller, { access: "person", method: "GET", role: "viewer" });
}

/**
 * The checks before every operation, based on the operation tables: the caller has access, a stopping gateway takes
 * only reads, and only a client with interaction switched on answers.
 */
export function assertMayCall(core: Core, caller: Caller, name: OperationName): void {
  const { method, responds, role } = factsOf(name);
  assertAccess(caller, { access: detailsOf(name).access, method, role });
  if (method !== "GET" && core.draining.aborted) throw drainingError();
  if (responds) assertMayDecide(core, caller);
}

/**
 * The only access check for other people's sessions and interactions. Rejects with `NOT_FOUND`, as if they did not
 * exist. `filtered` operations need no check: they ask the store only for rows that the caller may see.
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

/** Throws `INTERACTION_DISABLED` unless interaction is switched on for the caller's client. */
export function assertMayDecide({ presence }: Pick<Core, "presence">, caller: Caller): void {
  if (!presence.mayAnswer(caller)) {
    throw refusal("INTERACTION_DISABLED", saying("interaction_off"));
  }
}

function assertAccess(caller: Caller, wanted: Parameters<typeof refusalOfAccess>[1]): void {
  const refusal = refusalOfAccess(caller, wanted);
  if (refusal !== undefined) throw new ProtocolError("FORBIDDEN", refusal);
}
