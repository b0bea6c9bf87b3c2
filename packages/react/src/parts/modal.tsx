import { useLayoutEffect, useRef, type KeyboardEventHandler, type ReactNode } from "react";

interface ModalProps {
  readonly className: string;
  /** The id of the dialog's title. */
  readonly labelledBy: string;
  readonly onClose: () => void;
  readonly onKeyDown?: KeyboardEventHandler | undefined;
  readonly children: ReactNode;
}

/** A native modal dialog, open while it is mounted. Closed with Escape or by a press outside. */
export function Modal(props: ModalProps): ReactNode {
  const { className, labelledBy, onClose, onKeyDown, children } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  // Closed while it is still in the document: otherwise the browser does not restore the focus.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a press outside; Escape does the same
    <dialog
      ref={dialog}
      className={className}
      aria-labelledby={labelledBy}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // A browser may close it without `cancel`. The event of an earlier closing may arrive when it is open again.
      onClose={({ currentTarget }) => {
        if (!currentTarget.open) onClose();
      }}
      onMouseDown={(event) => {
        if (event.target === dialog.current) onClose();
      }}
      onKeyDown={onKeyDown}
    >
      {children}
    </dialog>
  );
}
