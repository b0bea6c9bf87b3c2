import type { Credentials } from "@holdpoint/engine";
import type { GatewayApi, Seen } from "@holdpoint/protocol";

import type { ViewersOf } from "./deliveries/recipients.ts";

/** The parts of the gateway that notifications use. */
export type ToldGateway = Pick<
  GatewayApi,
  "followOverview" | "getInteraction" | "getSession" | "listAgents" | "listInteractions"
> & {
  readonly credentials: Pick<Credentials, "list" | "onConfirmed" | "onRevoked">;
  isLooking(deviceId: string): boolean;
  seenByOf(sessionId: string): Seen["seenBy"];
  onShared(run: (sessionId: string) => void): Disposable;
} & ViewersOf;
