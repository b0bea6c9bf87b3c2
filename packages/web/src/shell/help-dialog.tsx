import { Button } from "@holdpoint/react";
import type { ReactNode } from "react";

import { Dialog } from "../dialog.tsx";

const KEYS: readonly (readonly [keys: readonly string[], does: string])[] = [
  [["J"], "Next waiting card"],
  [["K"], "Previous waiting card"],
  [["Ctrl", "K"], "Go to a session, to what waits, or do something"],
  [["Ctrl", "F"], "Find in the session"],
  [["Z"], "Undo the answer that the agent does not have yet"],
  [["1", "…", "9"], "Choose an option of the focused question"],
  [["A"], "Allow once, on the focused approval"],
  [["D"], "Deny, on the focused approval"],
  [["Enter"], "Submit the focused card; send a message"],
  [["Ctrl", "Enter"], "Submit from a field of several lines"],
  [["Shift", "Enter"], "New line in a message"],
  [["Esc"], "Close a dialog"],
  [["?"], "This list"],
];

/** The keys, all of them. */
export function HelpDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  return (
    <Dialog title="Keys" onClose={onClose} className="help">
      <dl>
        {KEYS.map(([combination, does]) => (
          <div key={does}>
            <dt>
              {combination.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p className="quiet">
        Keys act only on the card that has focus, and never while you type. A new card never takes
        the focus.
      </p>
      <div className="dialog-actions">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}
