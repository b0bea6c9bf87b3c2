import type { DraftStorage } from "@holdpoint/client";
import type { Interaction } from "@holdpoint/protocol";

import type { ResponseHandle } from "./use-response.ts";

/** What every kind of open card gets. */
export interface OpenCardProps {
  interaction: Interaction;
  response: ResponseHandle;
  drafts: DraftStorage;
  agentLabel?: string | undefined;
  autoFocus?: boolean | undefined;
}
