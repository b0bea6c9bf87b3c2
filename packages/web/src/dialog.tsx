import { Modal } from "@holdpoint/react";
import { useId, type ReactNode } from "react";

import "./styles/dialogs.css";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly className?: string;
}

/** A native modal dialog, open while it is mounted. Closed with Escape or by a press outside. */
export function Dialog({ title, onClose, children, className }: DialogProps): ReactNode {
  const titleId = useId();
  return (
    <Modal
      className={["dialog", className].filter(Boolean).join(" ")}
      labelledBy={titleId}
      onClose={onClose}
    >
      <div className="dialog-content">
        <h2 id={titleId} className="dialog-title">
          {title}
        </h2>
        {children}
      </div>
    </Modal>
  );
}
