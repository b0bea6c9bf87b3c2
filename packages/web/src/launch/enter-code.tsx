import { Button } from "@holdpoint/react";
import { useId, useState, type FormEvent, type ReactNode } from "react";

import { withBasePath } from "../base-path.ts";
import { Mark } from "../mark.tsx";

import "../styles/launch.css";
import { useWords } from "../words/use-words.ts";

const CODE_LENGTH = 9;

/** A field for the short code shown by another device or the terminal, in a browser that is not signed in. */
export function EnterCode(): ReactNode {
  const say = useWords();
  const [code, setCode] = useState("");
  const [isShort, setShort] = useState(false);
  const id = useId();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const letters = code.toUpperCase().replaceAll(/[^0-9A-Z]/gu, "");
    if (letters.length !== CODE_LENGTH) setShort(true);
    // From here on, it is a launch link like any other.
    else location.assign(withBasePath(`/#code=${letters}`));
  };
  return (
    <main className="launch">
      <Mark />
      <h1>{say("Enter a code")}</h1>
      <p>
        {say.rich(
          "Get one on a signed-in device under “Devices and programs”, “Add a device”, or run {command} in the gateway's terminal.",
          { command: <code>holdpoint pair</code> },
        )}
      </p>
      <form className="code-form" noValidate onSubmit={submit}>
        <label htmlFor={id}>{say("Code")}</label>
        <input
          id={id}
          value={code}
          placeholder="3KA-XW7-PCT"
          maxLength={24}
          autoComplete="one-time-code"
          autoCapitalize="characters"
          autoCorrect="off"
          spellCheck={false}
          aria-describedby={`${id}-note`}
          aria-invalid={isShort}
          onChange={(event) => {
            setCode(event.target.value);
            setShort(false);
          }}
        />
        <p id={`${id}-note`} className={isShort ? "field-error" : "field-help"}>
          {isShort
            ? say("Enter all nine letters and digits of the code.")
            : say(
                "It works once, within five minutes. After five wrong attempts, you need a new code.",
              )}
        </p>
        <Button type="submit" tone="primary">
          {say("Sign in")}
        </Button>
      </form>
    </main>
  );
}
