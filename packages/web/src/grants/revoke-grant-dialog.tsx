import type { Grant } from "@holdpoint/protocol";
import { useTransport, VisibleText } from "@holdpoint/react";
import type { ReactNode } from "react";

import { ConfirmDialog } from "../confirm-dialog.tsx";

interface RevokeGrantDialogProps {
  readonly grant: Grant;
  readonly onClose: () => void;
  readonly onRevoked: () => void;
}

export function RevokeGrantDialog({
  grant,
  onClose,
  onRevoked,
}: RevokeGrantDialogProps): ReactNode {
  const transport = useTransport();
  return (
    <ConfirmDialog
      title="Revoke this grant?"
      words={["Revoke", "Revoking…"]}
      act={() => transport.revokeGrant(grant.grantId)}
      onDone={onRevoked}
      onClose={onClose}
    >
      <p>
        From now on, <code>{<VisibleText text={grant.toolName} exact />}</code> needs your approval
        again wherever this grant applies. Calls that have run already stay as they are.
      </p>
      <p className="grant-text">
        <VisibleText text={grant.text} exact />
      </p>
    </ConfirmDialog>
  );
}
