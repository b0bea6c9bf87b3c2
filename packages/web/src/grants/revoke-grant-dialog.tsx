import type { Grant } from "@holdpoint/protocol";
import { SaidText, useTransport, VisibleText } from "@holdpoint/react";
import type { ReactNode } from "react";

import { ConfirmDialog } from "../confirm-dialog.tsx";
import { useWords } from "../words/use-words.ts";

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
  const say = useWords();
  const transport = useTransport();
  return (
    <ConfirmDialog
      title={say("Revoke this grant?")}
      words={[say("Revoke"), say("Revoking…")]}
      act={() => transport.revokeGrant(grant.grantId)}
      onDone={onRevoked}
      onClose={onClose}
    >
      <p>
        {say.rich(
          "From now on, {tool} needs your approval again wherever this grant applies. Calls that have run already stay as they are.",
          {
            tool: (
              <code>
                <VisibleText text={grant.rule ? say("Commands") : grant.toolName} exact />
              </code>
            ),
          },
        )}
      </p>
      <p className="grant-text">
        <SaidText text={grant.text} said={grant.said?.["text"]} />
      </p>
    </ConfirmDialog>
  );
}
