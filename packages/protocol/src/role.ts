import { z } from "zod";

/** The roles of people, from the least to the most rights. Each includes the rights of the previous ones. */
export const ROLES = ["viewer", "responder", "owner"] as const;

/** `viewer` reads; `responder` answers and works with sessions; `owner` decides about everything shared. */
export const roleSchema = z.enum(ROLES);
export type Role = z.infer<typeof roleSchema>;

/** Whether a role includes the rights of another one. */
export function hasRole(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least);
}
