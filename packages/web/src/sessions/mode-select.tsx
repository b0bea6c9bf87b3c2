import type { AgentInfo } from "@holdpoint/protocol";
import { toCallTroubleWords, useTransport } from "@holdpoint/react";
import { lazy, Suspense, useState, type ReactNode } from "react";

const LimitedModeDialog = lazy(async () => ({
  default: (await import("./limited-mode-dialog.tsx")).LimitedModeDialog,
}));

interface ModeSelectProps {
  readonly sessionId: string;
  readonly agent: AgentInfo;
  readonly mode: string;
  /** It lets the agent do everything. How long still stands above the composer. */
  readonly isLimited: boolean;
}

/** Changes the permission mode: what the agent may do without asking. Also while it runs. */
export function ModeSelect({ sessionId, agent, mode, isLimited }: ModeSelectProps): ReactNode {
  const transport = useTransport();
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
      setWanted(undefined);
      setTrouble(toCallTroubleWords(error).title);
    }
  };
  const choose = (next: string): void => {
    const info = agent.permissionModes.find((one) => one.mode === next);
    if (info?.endsInto === undefined) void change(next);
    else setConfirming(info);
  };
  const known = agent.permissionModes.some((info) => info.mode === mode);
  return (
    <span className="mode" data-limited={isLimited || undefined}>
      <select
        aria-label="Permission mode"
        title={agent.permissionModes.find((info) => info.mode === mode)?.description}
        value={wanted ?? mode}
        aria-busy={wanted !== undefined}
        onChange={(event) => choose(event.target.value)}
      >
        {!known && <option value={mode}>{mode}</option>}
        {agent.permissionModes.map((info) => (
          <option key={info.mode} value={info.mode}>
            {info.label}
          </option>
        ))}
      </select>
      {trouble !== undefined && (
        <span className="mode-trouble" role="alert">
          Not changed: {trouble}
        </span>
      )}
      {confirming !== undefined && (
        <Suspense>
          <LimitedModeDialog
            label={confirming.label}
            description={confirming.description}
            onConfirm={(minutes) => void change(confirming.mode, minutes)}
            onClose={() => setConfirming(undefined)}
          />
        </Suspense>
      )}
    </span>
  );
}
