import { KeyRound } from "lucide-react";
import { useState, type ReactNode } from "react";

import { Mark } from "../mark.tsx";
import { useWords, type Words } from "../words/use-words.ts";
import { IssuerChoice } from "./issuer-choice.tsx";

import "../styles/launch.css";
import type { SignInError } from "./sign-in-error.ts";

export type SignedOutReason =
  | SignInError["reason"]
  | "code_refused"
  | "ended"
  | "never"
  | "other_gateway"
  | "revoked"
  | "unreachable";

const REASON_WORDS: Readonly<
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
    why: "A sign-in ends when it was not used for a month, and after half a year. The gateway can be told other times.",
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

function StopKeys(): ReactNode {
  return (
    <>
      <kbd>Ctrl</kbd>+<kbd>C</kbd>
    </>
  );
}

/** The page of a browser that is not signed in: why, and how to sign in. */
export function OpenLaunchLink(props: { readonly reason: SignedOutReason }): ReactNode {
  const say = useWords();
  const [failed, setFailed] = useState<SignedOutReason>();
  const { title, why } = REASON_WORDS[failed ?? props.reason];
  return (
    <main className="launch">
      <Mark />
      <h1>{say(title)}</h1>
      <p>{say(why)}</p>
      <IssuerChoice onFailed={setFailed} />
      <ol>
        <li>
          {say(
            "Look at the terminal in which the gateway runs: it prints a launch link that begins with",
          )}{" "}
          <code>{location.origin}/#code=</code>
        </li>
        <li>
          {say.rich(
            "No fresh link there? {command}, run in another terminal, shows one there. So does stopping the gateway with {keys} and starting it again: sessions and pending requests are kept.",
            { command: <code>npx holdpoint link</code>, keys: <StopKeys /> },
          )}
        </li>
        <li>{say("Open the link in this browser. It stays signed in afterwards.")}</li>
      </ol>
      <p>
        {say.rich("{way} instead, which another device of yours can show.", {
          way: (
            <a className="launch-other" href="/pair">
              {say("Enter a code")}
            </a>
          ),
        })}
      </p>
      <p className="launch-note">
        <KeyRound aria-hidden />
        {say(
          "There is no password: anyone who opens the link can answer for you. Do not share it.",
        )}
      </p>
    </main>
  );
}
