import type { AgentInfo, Session } from "@holdpoint/protocol";
import { useAgents, useOverview, useRole, VisibleText } from "@holdpoint/react";
import type { ReactNode } from "react";

import { Mark } from "../mark.tsx";
import { toAgentName, toUnavailable } from "../sessions/agent-name.ts";
import { StartComposer } from "../sessions/start-composer.tsx";
import { useWords } from "../words/use-words.ts";

import "../styles/home.css";

interface HomeProps {
  readonly onStarted: (session: Session) => void;
  readonly inboxToggle: ReactNode;
}

/** The page without a chosen session: starts a new one. */
export function Home({ onStarted, inboxToggle }: HomeProps): ReactNode {
  const { agents, trouble } = useAgents();
  const { overview } = useOverview();
  const isViewer = useRole() === "viewer";
  const say = useWords();
  const { sessions } = overview;
  const lastAgent = sessions.toSorted(
    (a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt),
  )[0]?.agent;
  return (
    <>
      <header className="head">
        <h1 className="head-title">{say("Start")}</h1>
        <span className="space" />
        {inboxToggle}
      </header>
      <div className="home">
        <div className="home-column">
          <Mark />
          <p className="home-lead">
            {say("Agents work. When they need you, they stop and ask here.")}
          </p>
          {trouble !== undefined && (
            <p className="field-error" role="alert">
              {trouble.title}. {trouble.wayOut}
            </p>
          )}
          {!isViewer && agents?.some(({ available }) => available) && (
            <StartComposer
              agents={agents}
              lastAgent={lastAgent}
              sessions={sessions}
              onStarted={onStarted}
            />
          )}
          {agents !== undefined && <Unavailable agents={agents} />}
        </div>
      </div>
    </>
  );
}

/** Agents that cannot be started, with the reasons. */
function Unavailable({ agents }: { readonly agents: readonly AgentInfo[] }): ReactNode {
  const say = useWords();
  return agents
    .filter(({ available }) => !available)
    .map((agent) => (
      <p key={agent.agent} className="quiet">
        {say.rich("{agent} is not available: {why}", {
          agent: <VisibleText text={toAgentName(agent, say)} />,
          why: <VisibleText text={toUnavailable(agent, say)} />,
        })}
      </p>
    ));
}
