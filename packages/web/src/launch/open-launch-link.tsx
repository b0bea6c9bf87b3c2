import { KeyRound } from "lucide-react";
import { useState, type ReactNode } from "react";

import { pageUrl, withBasePath } from "../base-path.ts";
import { Mark } from "../mark.tsx";
import { useWords } from "../words/use-words.ts";
import { IssuerChoice } from "./issuer-choice.tsx";

import "../styles/launch.css";
import { REASON_WORDS, type SignedOutReason } from "./signed-out-reason.ts";

function StopKeys(): ReactNode {
  return (
    <>
      <kbd>Ctrl</kbd>+<kbd>C</kbd>
    </>
  );
}

/** The page of a browser that is not signed in: the reason, and how to sign in. */
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
          {say("In the gateway's terminal, find the launch link that begins with")}{" "}
          <code>{pageUrl()}/#code=</code>
        </li>
        <li>
          {say.rich(
            "No new link there? Run {command} in another terminal to get one. Or stop the gateway with {keys} and start it again: sessions and pending requests are kept.",
            { command: <code>holdpoint link</code>, keys: <StopKeys /> },
          )}
        </li>
        <li>{say("Open the link in this browser. It stays signed in afterwards.")}</li>
      </ol>
      <p>
        {say.rich("{way} from another of your devices instead.", {
          way: (
            <a className="launch-other" href={withBasePath("/pair")}>
              {say("Enter a code")}
            </a>
          ),
        })}
      </p>
      <p className="launch-note">
        <KeyRound aria-hidden />
        {say("There is no password: anyone who opens the link can answer for you. Don't share it.")}
      </p>
    </main>
  );
}
