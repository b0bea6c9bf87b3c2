import type { Person } from "@holdpoint/protocol";
import { VisibleText } from "@holdpoint/react";
import { useId, useState, type ReactNode } from "react";

import { useWords } from "../words/use-words.ts";
import { IssuerButtons } from "./issuer-choice.tsx";
import { REASON_WORDS, type SignedOutReason } from "./signed-out-reason.ts";

import "../styles/launch.css";

interface RenewSignInProps {
  readonly person: Person & { readonly signInEndsAt: string };
}

/** Shows when an issuer's sign-in ends, and renews it: signing in again renews it on all devices of the person. */
export function RenewSignIn({ person: { person, signInEndsAt } }: RenewSignInProps): ReactNode {
  const say = useWords();
  const id = useId();
  const [failed, setFailed] = useState<SignedOutReason>();
  const format = { dateStyle: "full", timeStyle: "short" } as const;
  return (
    <section className="access-section" aria-labelledby={id}>
      <div className="access-head">
        <h2 id={id}>{say("Your sign-in")}</h2>
        <p className="quiet">
          {say.rich("Signed in as {person} until {time}.", {
            person: <VisibleText text={person} short />,
            time: (
              <time dateTime={signInEndsAt}>
                {new Date(signInEndsAt).toLocaleString(say.language.locale, format)}
              </time>
            ),
          })}{" "}
          {say(
            "After that, none of your devices get notifications. Signing in again on one of them renews it for all.",
          )}
        </p>
      </div>
      <IssuerButtons again onFailed={setFailed} />
      {failed !== undefined && (
        <p className="field-error" role="alert">
          {say(REASON_WORDS[failed].why)}
        </p>
      )}
    </section>
  );
}
