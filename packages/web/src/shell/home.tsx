import type { AgentInfo, Session } from "@holdpoint/protocol";
import {
  Button,
  SuggestedPrompts,
  toCallTroubleWords,
  useAgents,
  useHoldpoint,
  VisibleText,
} from "@holdpoint/react";
import { SlidersHorizontal } from "lucide-react";
import { useState, type ReactNode } from "react";

import { Mark } from "../mark.tsx";
import { toAgentName } from "../sessions/agent-name.ts";

import "../styles/home.css";

interface HomeProps {
  readonly onNew: () => void;
  readonly onCreated: (session: Session) => void;
  readonly inboxToggle: ReactNode;
}

/** Where no session is chosen: what one can start, and with what. */
export function Home({ onNew, onCreated, inboxToggle }: HomeProps): ReactNode {
  const { agents, trouble } = useAgents();
  return (
    <>
      <header className="head">
        <h1 className="head-title">Start</h1>
        <span className="space" />
        {inboxToggle}
      </header>
      <div className="home">
        <div className="home-column">
          <Mark />
          <p className="home-lead">
            An agent works. Where it needs you, it stops here and waits for exactly your answer.
          </p>
          {trouble !== undefined && (
            <p className="field-error" role="alert">
              {trouble.title}. {trouble.wayOut}
            </p>
          )}
          {agents?.map((agent) => (
            <AgentStart key={agent.agent} agent={agent} onCreated={onCreated} />
          ))}
          <div>
            <Button icon={<SlidersHorizontal aria-hidden />} onClick={onNew}>
              Choose directory, mode and model
            </Button>
          </div>
        </div>
      </div>
    </>
  );
}

interface AgentStartProps {
  readonly agent: AgentInfo;
  readonly onCreated: (session: Session) => void;
}

function AgentStart({ agent, onCreated }: AgentStartProps): ReactNode {
  const { starting, trouble, start } = useStart(agent, onCreated);
  return (
    <section
      className="home-agent"
      aria-label={agent.label}
      data-unavailable={!agent.available || undefined}
    >
      <h2>
        <VisibleText text={toAgentName(agent)} />
      </h2>
      {agent.available ? (
        <SuggestedPrompts
          prompts={agent.suggestedPrompts}
          blocked={starting}
          onPick={(prompt) => void start(prompt)}
        />
      ) : (
        <p className="quiet">
          Not available:{" "}
          <VisibleText text={agent.unavailableReason ?? "the gateway does not say why"} />
        </p>
      )}
      {trouble !== undefined && (
        <p className="field-error" role="alert">
          {trouble}
        </p>
      )}
    </section>
  );
}

interface Start {
  readonly starting: boolean;
  readonly trouble: string | undefined;
  readonly start: (prompt: string) => Promise<void>;
}

/** Starts a session of the agent with a first message. */
function useStart(agent: AgentInfo, onCreated: (session: Session) => void): Start {
  const { transport, randomness } = useHoldpoint();
  const [starting, setStarting] = useState(false);
  const [trouble, setTrouble] = useState<string>();
  const start = async (prompt: string): Promise<void> => {
    if (starting) return;
    setStarting(true);
    setTrouble(undefined);
    try {
      const session = await transport.createSession({ agent: agent.agent });
      await transport.sendMessage(session.sessionId, {
        content: prompt,
        idempotencyKey: randomness.key(),
        queue: true,
      });
      onCreated(session);
    } catch (error: unknown) {
      const { title, wayOut } = toCallTroubleWords(error);
      setTrouble(`${title}. ${wayOut}`);
      setStarting(false);
    }
  };
  return { starting, trouble, start };
}
