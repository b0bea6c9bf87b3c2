import { ProtocolError, type Grant } from "@holdpoint/protocol";
import { Button, toCallTroubleWords, useTransport, VisibleText } from "@holdpoint/react";
import { useState, type ReactNode } from "react";

import { Dialog } from "../dialog.tsx";

interface RevokeGrantDialogProps {
  readonly grant: Grant;
  readonly onClose: () => void;
  readonly onRevoked: () => void;
}

export function RevokeGrantDialog(props: RevokeGrantDialogProps): ReactNode {
  const { grant, onClose, onRevoked } = props;
  const transport = useTransport();
  const [revoking, setRevoking] = useState(false);
  const [trouble, setTrouble] = useState<string>();

  const revoke = async (): Promise<void> => {
    setRevoking(true);
    setTrouble(undefined);
    try {
      await transport.revokeGrant(grant.grantId);
    } catch (error: unknown) {
      // Somebody else was faster, or it has ended: it is gone all the same.
      if (!ProtocolError.isInstance(error) || error.code !== "NOT_FOUND") {
        const { title, wayOut } = toCallTroubleWords(error);
        setTrouble(`${title}. ${wayOut}`);
        setRevoking(false);
        return;
      }
    }
    onRevoked();
  };
  return (
    <Dialog title="Revoke this grant?" onClose={onClose}>
      <p>
        From now on <code>{<VisibleText text={grant.toolName} />}</code> is asked about again, here
        and wherever else this grant holds. What has run already stays as it is.
      </p>
      <p className="grant-text">
        <VisibleText text={grant.text} />
      </p>
      {trouble !== undefined && (
        <p className="field-error" role="alert">
          {trouble}
        </p>
      )}
      <div className="dialog-actions">
        <Button onClick={onClose}>Keep</Button>
        <Button tone="danger" blocked={revoking} onClick={() => void revoke()}>
          {revoking ? "Revoking…" : "Revoke"}
        </Button>
      </div>
    </Dialog>
  );
}
