import type { DraftStorage } from "@holdpoint/client";
import type { Interaction } from "@holdpoint/protocol";

import type { ResponseHandle } from "./use-response.ts";

/** What every kind of open card gets. */
export interface OpenCardProps {
  readonly interaction: Interaction;
  readonly response: ResponseHandle;
  readonly drafts: DraftStorage;
  readonly agentLabel?: string | undefined;
  readonly autoFocus?: boolean | undefined;
}
