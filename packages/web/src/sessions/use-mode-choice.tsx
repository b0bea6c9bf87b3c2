import type { AgentInfo, CreateSessionBody } from "@holdpoint/protocol";
import { useState, type ReactNode } from "react";

import { LimitedModeDialog } from "./limited-mode-dialog.tsx";

export interface ModeChoice {
  readonly mode: string;
  /** The part of the request that creates the session. */
  readonly body: Pick<CreateSessionBody, "permissionMode" | "permissionModeMinutes">;
  readonly choose: (mode: string) => void;
  /** The dialog before a mode that lets the agent do everything. The caller has to render it. */
  readonly question: ReactNode;
}

interface Chosen {
  readonly agent: string;
  readonly mode: string;
  readonly minutes?: number;
}

/** The permission mode of a new session: the agent's default, until the person chooses another. */
export function useModeChoice(agent: AgentInfo | undefined): ModeChoice {
  const [chosen, setChosen] = useState<Chosen>();
  const [asking, setAsking] = useState<AgentInfo["permissionModes"][number]>();
  const current = chosen?.agent === agent?.agent ? chosen : undefined;
  const choose = (mode: string): void => {
    if (agent === undefined) return;
    const info = agent.permissionModes.find((one) => one.mode === mode);
    if (info?.endsInto === undefined) setChosen({ agent: agent.agent, mode });
    else setAsking(info);
  };
  const confirm = (minutes: number): void => {
    if (agent !== undefined && asking !== undefined) {
      setChosen({ agent: agent.agent, mode: asking.mode, minutes });
    }
    setAsking(undefined);
  };
  return {
    mode: current?.mode ?? agent?.defaultPermissionMode ?? "",
    body: {
      ...(current && { permissionMode: current.mode }),
      ...(current?.minutes !== undefined && { permissionModeMinutes: current.minutes }),
    },
    choose,
    question: asking !== undefined && (
      <LimitedModeDialog
        label={asking.label}
        description={asking.description}
        onConfirm={confirm}
        onClose={() => setAsking(undefined)}
      />
    ),
  };
}
