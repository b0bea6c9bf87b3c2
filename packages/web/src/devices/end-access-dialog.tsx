import { useTransport, VisibleText } from "@holdpoint/react";
import type { ReactNode } from "react";

import { ConfirmDialog } from "../confirm-dialog.tsx";
import { useWords } from "../words/use-words.ts";
import { AgentName } from "./token-entries.tsx";
import type { AgentAccess, Device, Program } from "./use-credentials.ts";

/** The device, program or agent whose access is about to be ended. */
export type Ending =
  | { readonly kind: "device"; readonly device: Device }
  | { readonly kind: "program"; readonly program: Program }
  | { readonly kind: "agent"; readonly agent: AgentAccess };

interface EndAccessDialogProps {
  readonly ending: Ending;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Asks before a device is signed out or a token is revoked. */
export function EndAccessDialog({ ending, onClose, onDone }: EndAccessDialogProps): ReactNode {
  const say = useWords();
  const transport = useTransport();
  switch (ending.kind) {
    case "device":
      return <EndDeviceDialog device={ending.device} onClose={onClose} onDone={onDone} />;
    case "program":
      return (
        <ConfirmDialog
          title={say("Revoke this program’s token?")}
          words={[say("Revoke"), say("Revoking…")]}
          act={() => transport.revokeProgramToken(ending.program.tokenId)}
          onDone={onDone}
          onClose={onClose}
        >
          <p>
            {say.rich("{program} is disconnected at once, and can no longer do anything here.", {
              program: <Name label={ending.program.label} />,
            })}
          </p>
        </ConfirmDialog>
      );
    case "agent":
      return (
        <ConfirmDialog
          title={say("Revoke this agent’s token?")}
          words={[say("Revoke"), say("Revoking…")]}
          act={() => transport.revokeAgentToken(ending.agent.tokenId)}
          onDone={onDone}
          onClose={onClose}
        >
          <p>
            {say.rich(
              "{agent} can no longer call the gateway's tools. Anything that it runs on its own continues, and its session stays.",
              {
                agent: (
                  <strong>
                    <AgentName label={ending.agent.label} />
                  </strong>
                ),
              },
            )}
          </p>
        </ConfirmDialog>
      );
  }
}

function Name({ label }: { readonly label: string }): ReactNode {
  return (
    <strong>
      <VisibleText text={label} short />
    </strong>
  );
}

interface EndDeviceDialogProps extends Omit<EndAccessDialogProps, "ending"> {
  readonly device: Device;
}

function EndDeviceDialog({ device, onClose, onDone }: EndDeviceDialogProps): ReactNode {
  const say = useWords();
  const transport = useTransport();
  const { deviceId, label, current } = device;
  return (
    <ConfirmDialog
      title={say(current ? "Sign out this device?" : "Sign out this other device?")}
      words={[say("Sign out"), say("Signing out…")]}
      act={() => transport.revokeDevice(deviceId)}
      onDone={onDone}
      onClose={onClose}
    >
      <p>
        {say.rich(
          current
            ? "{device} is the device that you are using. To sign in again, it needs a new launch link or a new code. Text that you typed here and have not sent stays in this browser."
            : "{device} is disconnected at once, and can no longer see or answer anything. Its past answers stay as they are.",
          { device: <Name label={label} /> },
        )}
      </p>
    </ConfirmDialog>
  );
}
