import { createBrowserDrafts, type Transport } from "holdpoint/client";
import { Conversation, HoldpointProvider } from "holdpoint/react";
import { createRoot, type Root } from "react-dom/client";

import "holdpoint/react/embed.css";

/** Shows the one conversation of a release. Unmounting the root closes its streams. */
export async function showAssistant(
  panel: Element,
  transport: Transport,
  release: string,
): Promise<Root> {
  const [agents, sessions] = await Promise.all([transport.listAgents(), transport.listSessions()]);
  const agent = agents.find(({ available }) => available);
  // A product with a database would store the id with the release instead.
  const { sessionId } =
    sessions.items.find(({ title }) => title === release) ??
    (await transport.createSession({ agent: agent?.agent ?? "demo", title: release }));
  const root = createRoot(panel);
  root.render(
    <HoldpointProvider transport={transport} drafts={createBrowserDrafts(localStorage)}>
      <Conversation
        sessionId={sessionId}
        heading={<p className="hp-empty-title">What is left to do for {release}?</p>}
        suggestedPrompts={agent?.suggestedPrompts ?? []}
      />
    </HoldpointProvider>,
  );
  return root;
}
