import {
  detailsOf,
  drainingError,
  factsOf,
  ProtocolError,
  type Caller,
  type OperationName,
} from "@holdpoint/protocol";

import type { Core } from "./core.ts";

/** An agent's credential changes nothing, reads nothing and never answers. */
export function assertPerson(caller: Caller): void {
  if (caller.principal !== "person") {
    throw new ProtocolError("FORBIDDEN", "An agent's credential cannot do this.");
  }
}

/**
 * Checked before every operation, as the tables of operations say: the caller may ask for it, a gateway that is stopping
 * takes reads only, and only a client with interaction switched on answers.
 */
export function assertMayCall(core: Core, caller: Caller, name: OperationName): void {
  const { method, responds } = factsOf(name);
  if (detailsOf(name).access === "person") assertPerson(caller);
  if (method !== "GET" && core.draining.aborted) throw drainingError();
  if (responds) assertMayDecide(core, caller);
}

/** Only a client with interaction switched on decides anything for its person. */
export function assertMayDecide({ presence }: Pick<Core, "presence">, { clientId }: Caller): void {
  if (clientId !== undefined && !presence.isEnabled(clientId)) {
    throw new ProtocolError("INTERACTION_DISABLED", "Interaction is switched off on this client.");
  }
}
