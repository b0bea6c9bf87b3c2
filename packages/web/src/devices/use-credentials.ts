import type { ResultOf } from "@holdpoint/protocol";
import { useKnownRole, useOverview, useTransport, type TroubleWords } from "@holdpoint/react";
import { useCallback, useEffect, useState } from "react";

import { useTrouble } from "../words/use-trouble.ts";

export type Device = ResultOf<"listDevices">["items"][number];
export type Program = ResultOf<"listProgramTokens">["items"][number];
export type AgentAccess = ResultOf<"listAgentTokens">["items"][number];

/** Everything that can use the gateway as this person, or ask this person. */
export interface Credentials {
  readonly devices: readonly Device[];
  readonly programs: readonly Program[];
  readonly agents: readonly AgentAccess[];
}

const NONE = { items: [] };

interface UseCredentials {
  /** Absent until first loaded. */
  readonly shown: Credentials | undefined;
  readonly trouble: TroubleWords | undefined;
  /** Loads them again. */
  readonly reload: () => void;
}

/** The person's devices, programs and agents. Loaded again after each change of the connection. */
export function useCredentials(): UseCredentials {
  const toTrouble = useTrouble();
  const transport = useTransport();
  const { connection } = useOverview();
  const role = useKnownRole();
  const [shown, setShown] = useState<Credentials>();
  const [trouble, setTrouble] = useState<TroubleWords>();
  const [version, setVersion] = useState(0);
  useEffect(() => {
    const aborted = new AbortController();
    const options = { signal: aborted.signal };
    if (role === undefined) return undefined;
    // Only owners can create and see tokens.
    const isOwner = role === "owner";
    Promise.all([
      transport.listDevices(options),
      isOwner ? transport.listProgramTokens(options) : NONE,
      isOwner ? transport.listAgentTokens(options) : NONE,
    ]).then(
      ([devices, programs, agents]) => {
        setShown({ devices: devices.items, programs: programs.items, agents: agents.items });
        setTrouble(undefined);
      },
      (error: unknown) => {
        if (!aborted.signal.aborted) setTrouble(toTrouble(error));
      },
    );
    return () => aborted.abort();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a change of any of them may have changed the list
  }, [transport, toTrouble, role, version, connection]);
  const reload = useCallback(() => setVersion((before) => before + 1), []);
  return { shown, trouble, reload };
}
