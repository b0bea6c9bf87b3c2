import type { AgentInfo } from "@holdpoint/protocol";
import { useEffect, useState } from "react";

import { useWords } from "../words/use-words.ts";
import { toCallTroubleWords, type TroubleWords } from "./trouble-words.ts";
import { useTransport } from "./use-transport.ts";

export interface UseAgents {
  /** Absent until loaded. */
  readonly agents?: readonly AgentInfo[];
  readonly trouble?: TroubleWords;
}

interface State {
  readonly agents?: readonly AgentInfo[];
  readonly error?: unknown;
}

/** The agents that can be started, loaded once when the component mounts. */
export function useAgents(): UseAgents {
  const transport = useTransport();
  const { language } = useWords();
  const [state, setState] = useState<State>({});
  useEffect(() => {
    const aborted = new AbortController();
    transport.listAgents({ signal: aborted.signal }).then(
      (agents) => setState({ agents }),
      (error: unknown) => {
        if (!aborted.signal.aborted) setState({ error });
      },
    );
    return () => aborted.abort();
  }, [transport]);
  const { agents, error } = state;
  return {
    ...(agents !== undefined && { agents }),
    ...(error !== undefined && { trouble: toCallTroubleWords(error, language) }),
  };
}
