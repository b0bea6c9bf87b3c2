import { ProtocolError, type Caller } from "@holdpoint/protocol";

import { drainingError } from "../lib/errors.ts";
import type { Core } from "./core.ts";

/** An agent's credential changes nothing, sees no lists and never answers. */
export function assertPerson(caller: Caller): void {
  if (caller.principal !== "person") {
    throw new ProtocolError("FORBIDDEN", "An agent's credential cannot do this.");
  }
}

/** Persons read everything, an agent its own session. */
export function assertMayRead(caller: Caller, sessionId: string): void {
  if (caller.principal === "agent" && caller.sessionId === sessionId) return;
  assertPerson(caller);
}

/** Checked before every change: a person asks for it, and the gateway still takes work. */
export function assertMayChange(core: Core, caller: Caller): void {
  assertPerson(caller);
  if (core.draining.aborted) throw drainingError();
}

/** The client that the person uses may have interaction switched off. */
export function assertMayAnswer(core: Core, caller: Caller): void {
  assertMayChange(core, caller);
  if (caller.clientId !== undefined && !core.presence.isEnabled(caller.clientId)) {
    throw new ProtocolError("INTERACTION_DISABLED", "Interaction is switched off on this client.");
  }
}
