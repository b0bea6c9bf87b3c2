import type { Interaction, ResponderRefusal } from "@holdpoint/protocol";
import { type ComponentType, createContext } from "react";

/** The restrictions on this page's person in an interaction with limited responders. The gateway enforces them. */
export interface OwnRight {
  /** Why they may not answer at all. */
  readonly answer?: ResponderRefusal | undefined;
  /** Why they may not allow it; `voted`: they already have. */
  readonly allow?: ResponderRefusal | "voted" | undefined;
  /** The notice on the card that lists the possible responders. */
  readonly Notice?: ComponentType<RespondersNoticeProps>;
}

export interface RespondersNoticeProps {
  readonly interaction: Interaction;
  readonly own: OwnRight;
}

/** The rights in an interaction that everyone may answer. */
export const EVERYTHING: OwnRight = {};
/** The person's rights in the surrounding card. */
export const OwnRightContext = createContext<OwnRight>(EVERYTHING);
