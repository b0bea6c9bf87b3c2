import { useTransport, VisibleText } from "@holdpoint/react";
import type { ReactNode } from "react";

import { ConfirmDialog } from "../confirm-dialog.tsx";
import { AgentName } from "./token-entries.tsx";
import type { AgentAccess, Device, Program } from "./use-credentials.ts";

/** What is about to lose its access. */
export type Ending =
  | { readonly kind: "device"; readonly device: Device }
  | { readonly kind: "program"; readonly program: Program }
  | { readonly kind: "agent"; readonly agent: AgentAccess };

interface EndAccessDialogProps {
  readonly ending: Ending;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Asks before a device is signed out, or a token is revoked. */
export function EndAccessDialog({ ending, onClose, onDone }: EndAccessDialogProps): ReactNode {
  const transport = useTransport();
  switch (ending.kind) {
    case "device": {
      const { deviceId, label, current } = ending.device;
      return (
        <ConfirmDialog
          title={current ? "Sign out this device?" : "Sign out this other device?"}
          words={["Sign out", "Signing out…"]}
          act={() => transport.revokeDevice(deviceId)}
          onDone={onDone}
          onClose={onClose}
        >
          <p>
            <strong>
              <VisibleText text={label} short />
            </strong>{" "}
            {current
              ? "is the device that you are using. To come back it needs a new launch link or a new code. What you have typed here and not sent stays in this browser."
              : "loses its connection at once and can neither see nor answer anything. Its answers so far stay as they are."}
          </p>
        </ConfirmDialog>
      );
    }
    case "program":
      return (
        <ConfirmDialog
          title="Revoke this program’s token?"
          words={["Revoke", "Revoking…"]}
          act={() => transport.revokeProgramToken(ending.program.tokenId)}
          onDone={onDone}
          onClose={onClose}
        >
          <p>
            <strong>
              <VisibleText text={ending.program.label} short />
            </strong>{" "}
            loses its connection at once and can do nothing any more.
          </p>
        </ConfirmDialog>
      );
    case "agent":
      return (
        <ConfirmDialog
          title="Revoke this agent’s token?"
          words={["Revoke", "Revoking…"]}
          act={() => transport.revokeAgentToken(ending.agent.tokenId)}
          onDone={onDone}
          onClose={onClose}
        >
          <p>
            <strong>
              <AgentName label={ending.agent.label} />
            </strong>{" "}
            can call no tool any more. What it runs by itself goes on; its session stays.
          </p>
        </ConfirmDialog>
      );
  }
}
