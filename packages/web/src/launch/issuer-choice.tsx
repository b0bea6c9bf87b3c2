import { listIssuers } from "@holdpoint/client";
import { Button } from "@holdpoint/react";
import { LogIn } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";

import { pageUrl } from "../base-path.ts";
import { useWords } from "../words/use-words.ts";
import { beginAtIssuer } from "./issuer-sign-in.ts";
import { SignInError } from "./sign-in-error.ts";

interface IssuerChoiceProps {
  /** Called with the reason why a sign-in could not begin. */
  readonly onFailed: (reason: SignInError["reason"] | "unreachable") => void;
}

/** The sign-in buttons, with a hint about launch links below; nothing on a gateway without issuers. */
export function IssuerChoice(props: IssuerChoiceProps): ReactNode {
  const say = useWords();
  return (
    <IssuerButtons {...props}>
      <p className="issuers-other">
        {say("Or use a launch link, which is for the gateway's owner:")}
      </p>
    </IssuerButtons>
  );
}

interface IssuerButtonsProps extends IssuerChoiceProps {
  /** For a person who is already signed in. */
  readonly again?: boolean;
  /** Shown below the buttons. */
  readonly children?: ReactNode;
}

/** A button for each issuer; nothing if there are none. */
export function IssuerButtons({ onFailed, again, children }: IssuerButtonsProps): ReactNode {
  const say = useWords();
  const issuers = useIssuers();
  const [leaving, setLeaving] = useState<string>();
  if (issuers.length === 0) return null;
  const begin = (issuerId: string): void => {
    setLeaving(issuerId);
    beginAtIssuer(issuerId).catch((error: unknown) => {
      setLeaving(undefined);
      onFailed(error instanceof SignInError ? error.reason : "unreachable");
    });
  };
  return (
    <div className="issuers">
      {issuers.map(({ issuerId, name }) => (
        <Button
          key={issuerId}
          tone={again ? "plain" : "primary"}
          icon={<LogIn aria-hidden />}
          blocked={leaving !== undefined}
          onClick={() => begin(issuerId)}
        >
          {leaving === issuerId
            ? say("Redirecting…")
            : say(again ? "Sign in again with {issuer}" : "Sign in with {issuer}", {
                issuer: name,
              })}
        </Button>
      ))}
      {children}
    </div>
  );
}

function useIssuers(): Awaited<ReturnType<typeof listIssuers>> {
  const [issuers, setIssuers] = useState<Awaited<ReturnType<typeof listIssuers>>>([]);
  useEffect(() => {
    let left = false;
    listIssuers({ baseUrl: pageUrl() }).then(
      (items) => left || setIssuers(items),
      () => undefined, // Without a gateway, signing in is not possible.
    );
    return () => {
      left = true;
    };
  }, []);
  return issuers;
}
