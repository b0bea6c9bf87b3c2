import type { Interaction, ResponderRefusal } from "@holdpoint/protocol";
import { type ComponentType, createContext } from "react";

/** What the person of this page may not do with an interaction that only some may answer. The gateway enforces it, not the page. */
export interface OwnRight {
  /** Why they may not answer at all. */
  readonly answer?: ResponderRefusal | undefined;
  /** Why they may not say yes; `voted`: they have. */
  readonly allow?: ResponderRefusal | "voted" | undefined;
  /** Says on the card who may answer. */
  readonly Notice?: ComponentType<RespondersNoticeProps>;
}

export interface RespondersNoticeProps {
  readonly interaction: Interaction;
  readonly own: OwnRight;
}

/** Where everybody may answer. */
export const EVERYTHING: OwnRight = {};
/** Of the card that it is read in. */
export const OwnRightContext = createContext<OwnRight>(EVERYTHING);
