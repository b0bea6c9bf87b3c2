import { createHash, type UUID } from "node:crypto";

/** A UUID for the runtime, derived from this id and equally random. */
export function toUuid(id: string): UUID {
  const hex = createHash("sha256").update(id).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
