import type { Caller } from "./gateway-api.ts";
import type { OperationFacts } from "./operations.ts";
import { hasRole, type Role } from "./role.ts";

/**
 * Who may ask for something: `anyone`, without a token; an `agent`; a `person`, at a device or through a program; or a
 * `device`, which is a person at a device, and no program.
 */
export type Access = "agent" | "anyone" | "device" | "person";

/** What a caller must be to have something. */
export interface WantedAccess {
  readonly access: Access;
  readonly method: OperationFacts["method"];
  /** The least role of a person. Absent: the one that may do all. */
  readonly role?: Role | undefined;
}

/**
 * Why a caller may not have something, or `undefined` when it may. An agent's credential never answers and reads nothing
 * . A program's token does what its scope says, and never makes another token. Nobody does more than their role.
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
        return "Only a signed-in device can do this, and no program.";
      }
      if (!hasRole(role, least)) return `This needs the role ${least}, and you are ${role}.`;
      return scope === "read" && method !== "GET" ? "This token can only read." : undefined;
  }
}
