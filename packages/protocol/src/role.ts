import { z } from "zod";

/** What a person may do, the least first: each may what those before it may. */
export const ROLES = ["viewer", "responder", "owner"] as const;

/** `viewer` reads; `responder` answers and works with sessions; `owner` decides what holds for everybody. */
export const roleSchema = z.enum(ROLES);
export type Role = z.infer<typeof roleSchema>;

/** Whether a role has the rights of another one. */
export function hasRole(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least);
}
