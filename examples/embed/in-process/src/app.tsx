import { createBrowserDrafts, type Transport } from "holdpoint/client";
import { Conversation, HoldpointProvider } from "holdpoint/react";
import { useState, useSyncExternalStore, type ReactNode } from "react";

import type { Letter } from "./letter.ts";

interface AppProps {
  readonly letter: Letter;
  readonly transport: Transport;
  readonly sessionId: string;
}

export function App({ letter, transport, sessionId }: AppProps): ReactNode {
  const text = useSyncExternalStore(letter.subscribe, letter.read);
  const [drafts] = useState(() => createBrowserDrafts(sessionStorage));
  return (
    <>
      <header>
        <strong>Quill</strong> <span>Letters, one at a time</span>
      </header>
      <main>
        <section className="page">
          <h1>Letter to Ms Moreno</h1>
          <textarea
            aria-label="Letter"
            value={text}
            onChange={({ target }) => letter.write(target.value)}
          />
        </section>
        <aside aria-label="Editor">
          <HoldpointProvider transport={transport} drafts={drafts}>
            <Conversation
              sessionId={sessionId}
              heading={<p className="hp-empty-title">Your editor</p>}
              suggestedPrompts={["Make it fit its reader"]}
            />
          </HoldpointProvider>
        </aside>
      </main>
    </>
  );
}
