import type { AgentInfo } from "@holdpoint/protocol";
import { useTransport } from "@holdpoint/react";
import { useState, type ReactNode } from "react";

import { useTrouble } from "../words/use-trouble.ts";
import { useWords } from "../words/use-words.ts";
import { LimitedModeDialog } from "./limited-mode-dialog.tsx";

interface ModeSelectProps {
  readonly sessionId: string;
  readonly agent: AgentInfo;
  readonly mode: string;
  /** The mode lets the agent do everything. The time left is shown above the composer. */
  readonly isLimited: boolean;
}

/** Changes the permission mode, which defines what the agent may do without asking. Also works during a turn. */
export function ModeSelect({ sessionId, agent, mode, isLimited }: ModeSelectProps): ReactNode {
  const transport = useTransport();
  const say = useWords();
  const toTrouble = useTrouble();
  const [wanted, setWanted] = useState<string>();
  const [trouble, setTrouble] = useState<string>();
  const [confirming, setConfirming] = useState<AgentInfo["permissionModes"][number]>();
  if (wanted === mode) setWanted(undefined);

  const change = async (next: string, minutes?: number): Promise<void> => {
    setWanted(next);
    setTrouble(undefined);
    setConfirming(undefined);
    try {
      await transport.updateSession(sessionId, {
        permissionMode: next,
        ...(minutes !== undefined && { permissionModeMinutes: minutes }),
      });
    } catch (error: unknown) {
      setTrouble(toTrouble(error).title);
    } finally {
      // Reset to the session's mode, which may also have been changed elsewhere.
      setWanted(undefined);
    }
  };
  const choose = (next: string): void => {
    const info = agent.permissionModes.find((one) => one.mode === next);
    if (info?.endsInto === undefined) void change(next);
    else setConfirming(info);
  };
  const known = agent.permissionModes.find((info) => info.mode === mode);
  return (
    <span className="mode" data-limited={isLimited || undefined}>
      <select
        aria-label={say("Permission mode")}
        title={known?.description && say.translate(known.description)}
        value={wanted ?? mode}
        aria-busy={wanted !== undefined}
        onChange={(event) => choose(event.target.value)}
      >
        {known === undefined && <option value={mode}>{mode}</option>}
        <ModeOptions agent={agent} />
      </select>
      {trouble !== undefined && (
        <span className="mode-trouble" role="alert">
          {say("Not changed: {trouble}", { trouble })}
        </span>
      )}
      {confirming !== undefined && (
        <LimitedModeDialog
          label={confirming.label}
          description={confirming.description}
          onConfirm={(minutes) => void change(confirming.mode, minutes)}
          onClose={() => setConfirming(undefined)}
        />
      )}
    </span>
  );
}

function ModeOptions({ agent }: Pick<ModeSelectProps, "agent">): ReactNode {
  const say = useWords();
  return agent.permissionModes.map((info) => (
    <option key={info.mode} value={info.mode}>
      {say.translate(info.label)}
    </option>
  ));
}
