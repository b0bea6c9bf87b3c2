import type { Caller } from "./caller.ts";
import type { OperationFacts } from "./operations.ts";
import { hasRole, type Role } from "./role.ts";

/**
 * Who may use an endpoint. `anyone`: no token needed. `agent`: an agent. `person`: a person, at a device or through a
 * program. `device`: a person at a device, but not a program.
 */
export type Access = "agent" | "anyone" | "device" | "person";

/** The access that an endpoint requires. */
export interface WantedAccess {
  readonly access: Access;
  readonly method: OperationFacts["method"];
  /** The lowest role that is enough for a person. Absent: `owner`. */
  readonly role?: Role | undefined;
}

/**
 * Returns why a caller is refused, or `undefined` if access is granted. An agent's credential never answers and reads
 * nothing. A program's token is limited to its scope and can never create other tokens. No one can exceed their
 * role.
 */
export function refusalOfAccess(
  { principal, scope, role = "owner" }: Pick<Caller, "principal" | "role" | "scope">,
  { access, method, role: least = "owner" }: WantedAccess,
): string | undefined {
  switch (access) {
    case "anyone":
      return undefined;
    case "agent":
      return principal === "agent" ? undefined : "Only an agent's credential can do this.";
    case "device":
    case "person":
      if (principal === "agent") return "An agent's credential cannot do this.";
      if (access === "device" && scope !== undefined) {
        return "Only a signed-in device can do this, not a program.";
      }
      if (!hasRole(role, least)) return `This needs the role ${least}, and you are ${role}.`;
      return scope === "read" && method !== "GET" ? "This token can only read." : undefined;
  }
}
