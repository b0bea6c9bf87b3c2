import { useOverview } from "./use-overview.ts";

/** The person of this page, as the gateway names them for good; `undefined` for its owner, and until it has said so. */
export function usePersonId(): string | undefined {
  return useOverview().overview.person?.personId;
}
