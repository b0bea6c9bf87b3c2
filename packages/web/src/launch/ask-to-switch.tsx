import { createBrowserTransport, createDeviceSigner, type SignedInDevice } from "@holdpoint/client";
import { type Person, toMarkedString } from "@holdpoint/protocol";
import { Button } from "@holdpoint/react";
import type { ReactNode } from "react";
import { createRoot } from "react-dom/client";

import { pageUrl } from "../base-path.ts";
import { Mark } from "../mark.tsx";
import type { Say } from "../words/use-words.ts";
import type { Switching } from "./may-switch.ts";

import "../styles/launch.css";

interface SwitchPersonProps {
  readonly from: Person;
  readonly to: Person;
  readonly say: Say;
  readonly onChoose: (yes: boolean) => void;
}

/** Asks before a link replaces the person of this browser. */
export function SwitchPerson({ from, to, say, onChoose }: SwitchPersonProps): ReactNode {
  const people = { from: nameOf(from), to: nameOf(to) };
  return (
    <main className="launch">
      <Mark />
      <h1>{say("Switch to {to}?", people)}</h1>
      <p>
        {say(
          "This browser is signed in as {from}. The link that was opened would sign it in as {to}. If you did not request this, stay signed in.",
          people,
        )}
      </p>
      <p>
        <Button tone="primary" onClick={() => onChoose(false)}>
          {say("Stay signed in as {from}", people)}
        </Button>{" "}
        <Button onClick={() => onChoose(true)}>{say("Switch to {to}", people)}</Button>
      </p>
    </main>
  );
}

function nameOf({ person, signIn }: Person): string {
  const address = signIn?.email;
  const name = address === undefined || address === person ? person : `${person} (${address})`;
  return toMarkedString(name, "exact");
}

/** The real browser's way to find out and to ask. */
export function createSwitching(say: Say): Switching {
  return {
    readPerson: (device) => withTransport(device, (transport) => transport.getPerson()),
    revoke: (device) =>
      withTransport(device, (transport) => transport.revokeDevice(device.tokenId)),
    async ask(from, to) {
      const place = document.body.appendChild(document.createElement("div"));
      document.querySelector(".frame")?.remove();
      const root = createRoot(place);
      const { promise, resolve } = Promise.withResolvers<boolean>();
      root.render(<SwitchPerson {...{ from, to, say }} onChoose={resolve} />);
      try {
        return await promise;
      } finally {
        root.unmount();
        place.remove();
      }
    },
  };
}

async function withTransport<TResult>(
  device: SignedInDevice,
  run: (transport: ReturnType<typeof createBrowserTransport>) => Promise<TResult>,
): Promise<TResult> {
  const baseUrl = pageUrl();
  const token = createDeviceSigner({ baseUrl, device });
  await using transport = createBrowserTransport({ baseUrl, token, clientId: "switching" });
  return await run(transport);
}
