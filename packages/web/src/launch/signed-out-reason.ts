import type { Words } from "../words/use-words.ts";
import type { SignInError } from "./sign-in-error.ts";

/** Why a browser is not signed in. */
export type SignedOutReason =
  | SignInError["reason"]
  | "code_refused"
  | "ended"
  | "never"
  | "other_gateway"
  | "revoked"
  | "unreachable";

/** The explanation of each reason, and its remedy. */
export const REASON_WORDS: Readonly<
  Record<SignedOutReason, { readonly title: Words; readonly why: Words }>
> = {
  never: {
    title: "Open the launch link",
    why: "This browser does not know this gateway yet.",
  },
  code_refused: {
    title: "This link or code was used already or is too old",
    why: "Each works once, and only for a short time. A code that was mistyped does not work either.",
  },
  revoked: {
    title: "This browser was signed out",
    why: "Its access was revoked, it was time to sign in again, or the gateway started with a new data folder.",
  },
  ended: {
    title: "This browser was signed out after some time",
    why: "A sign-in ends when it was not used for a month, and after half a year; at an issuer after a week. The gateway can be told other times.",
  },
  other_gateway: {
    title: "This link is not of the gateway that answers here",
    why: "Another program, or another gateway, answers at this address. The link was not used up, and nothing was sent.",
  },
  insecure: {
    title: "This address is not safe enough to sign in",
    why: "A browser keeps a key only for https pages and for this machine's own addresses. Open the gateway at one of these.",
  },
  storage_blocked: {
    title: "This browser keeps nothing for this page",
    why: "Signing in needs the browser's storage, which a private window or a setting refuses. The link was not used up.",
  },
  not_begun_here: {
    title: "This sign-in was not begun in this browser",
    why: "A sign-in ends in the browser in which it was begun. Nothing was sent. If somebody gave you this address, do not trust it.",
  },
  sign_in_refused: {
    title: "You were not signed in",
    why: "The issuer did not confirm it, it took longer than ten minutes, or it was used before. Sign in again.",
  },
  not_admitted: {
    title: "You may not come in here",
    why: "The issuer knows you, but nobody has let you in at this gateway. Ask its owner.",
  },
  issuer_down: {
    title: "The issuer does not answer",
    why: "The gateway could not ask it who you are. Try again in a moment. A launch link or a code works all the same.",
  },
  unreachable: {
    title: "The gateway cannot be reached",
    why: "The launch link was not used up by this. Start the gateway, then open the link again.",
  },
};
