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
    why: "This browser is not signed in to this gateway yet.",
  },
  code_refused: {
    title: "This link or code has expired or was already used",
    why: "Each works once, and only for a short time. A mistyped code does not work either.",
  },
  revoked: {
    title: "This browser was signed out",
    why: "Its access was revoked, its sign-in expired, or the gateway started with a new data folder.",
  },
  ended: {
    title: "This browser was signed out after some time",
    why: "A sign-in ends after a month without use, and after six months at the latest; with an issuer, after a week. The gateway can be configured with other times.",
  },
  other_gateway: {
    title: "This link is not for the gateway at this address",
    why: "Another program or gateway is answering at this address. The link was not used up, and nothing was sent.",
  },
  insecure: {
    title: "This address is not safe enough to sign in",
    why: "Browsers store keys only for https pages and for this machine's own addresses. Open the gateway at one of these.",
  },
  storage_blocked: {
    title: "This browser cannot save your sign-in",
    why: "Signing in needs the browser's storage, which a private window or a setting is blocking. The link was not used up.",
  },
  not_begun_here: {
    title: "This sign-in was not started in this browser",
    why: "A sign-in must be completed in the browser that started it. Nothing was sent. If someone gave you this address, do not trust it.",
  },
  sign_in_refused: {
    title: "You were not signed in",
    why: "The issuer did not confirm it, it took longer than ten minutes, or it was already used. Sign in again.",
  },
  not_admitted: {
    title: "You do not have access",
    why: "The issuer confirmed who you are, but you have not been given access to this gateway. Ask its owner.",
  },
  issuer_down: {
    title: "The issuer is not responding",
    why: "The gateway could not verify who you are. Try again in a moment. A launch link or a code works all the same.",
  },
  unreachable: {
    title: "The gateway cannot be reached",
    why: "The launch link was not used up. Start the gateway, then open the link again.",
  },
};
