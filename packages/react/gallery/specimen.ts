import type {
  Delivery,
  Interaction,
  InteractionResponse,
  Person,
  RespondBody,
  RespondResult,
} from "@holdpoint/protocol";

import type { ReadOnlyReason } from "../src/index.ts";
import { aResponder, HERE } from "../src/testing/interactions.ts";

export interface Specimen {
  readonly name: string;
  readonly interaction: Interaction;
  /** The person looking at the card; absent: the gateway's owner. */
  readonly personId?: string;
  readonly signIn?: Person["signIn"];
  readonly canRespond?: boolean;
  readonly readOnlyReason?: ReadOnlyReason;
  readonly respond?: (body: RespondBody) => Promise<RespondResult>;
  readonly draft?: unknown;
  /** The name of a button to press once the page is drawn. */
  readonly press?: string;
  /** The press opens something that covers the page, so it happens only when this specimen alone is selected. */
  readonly covers?: boolean;
}

export const never = () => new Promise<RespondResult>(() => undefined);
export const unreachable = () => Promise.reject(new Error("offline"));
export const refuse = (problem: object) => async () =>
  ({
    status: "refused",
    problem: {
      type: "about:blank",
      title: "",
      status: 422,
      retryable: false,
      detail: "",
      ...problem,
    },
  }) as RespondResult;

let count = 0;
export const id = (): Pick<Interaction, "interactionId"> => ({
  interactionId: `specimen-${(count += 1)}`,
});
export const answered = (response: InteractionResponse, here = false, how?: Delivery) => ({
  ...id(),
  status: how === undefined ? ("answered" as const) : ("delivered" as const),
  response,
  by: aResponder(here ? { clientId: HERE, client: "Firefox on Linux" } : {}),
  ...(how !== undefined && { how }),
});
