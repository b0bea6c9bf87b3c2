import type { AgentInfo } from "@holdpoint/protocol";
import { useEffect, useState } from "react";

import { toCallTroubleWords, type TroubleWords } from "./trouble-words.ts";
import { useTransport } from "./use-transport.ts";

export interface UseAgents {
  /** Absent until the gateway has said. */
  readonly agents?: readonly AgentInfo[];
  readonly trouble?: TroubleWords;
}

/** The agents that can be started, as they are when the component mounts. */
export function useAgents(): UseAgents {
  const transport = useTransport();
  const [state, setState] = useState<UseAgents>({});
  useEffect(() => {
    const aborted = new AbortController();
    transport.listAgents({ signal: aborted.signal }).then(
      (agents) => setState({ agents }),
      (error: unknown) => {
        if (!aborted.signal.aborted) setState({ trouble: toCallTroubleWords(error) });
      },
    );
    return () => aborted.abort();
  }, [transport]);
  return state;
}
