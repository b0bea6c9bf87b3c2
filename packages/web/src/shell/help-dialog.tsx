import { Button, CARD_KEYS, type CardKey } from "@holdpoint/react";
import type { ReactNode } from "react";

import { Dialog } from "../dialog.tsx";
import { useWords, type Words } from "../words/use-words.ts";

type Shortcut = readonly [keys: readonly string[], does: Words];

const CARD_WORDS: Readonly<Record<CardKey, Words>> = {
  undo: "Undo the answer before the agent gets it",
  allow: "Allow once, on the focused approval",
  widen: "Allow for longer, on the focused approval: shows what that covers",
  deny: "Deny, on the focused approval",
};

const KEYS: readonly Shortcut[] = [
  [["J"], "Next pending request"],
  [["K"], "Previous pending request"],
  [["Ctrl", "K"], "Open the command menu"],
  [["Ctrl", "F"], "Find in the session"],
  cardKey("undo"),
  [["1", "…", "9"], "Choose an option in the focused question"],
  cardKey("allow"),
  cardKey("widen"),
  cardKey("deny"),
  [["Enter"], "Submit the focused card; send a message"],
  [["Ctrl", "Enter"], "Submit from a multi-line field"],
  [["Shift", "Enter"], "New line in a message"],
  [["↑", "↓"], "Previous or next session in the list, or page link below it"],
  [["Esc"], "Close a dialog"],
  [["?"], "Show this list"],
];

function cardKey(name: CardKey): Shortcut {
  return [[CARD_KEYS[name]], CARD_WORDS[name]];
}

/** All keyboard shortcuts. */
export function HelpDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const say = useWords();
  return (
    <Dialog title={say("Keyboard shortcuts")} onClose={onClose} className="help">
      <dl>
        {KEYS.map(([combination, does]) => (
          <div key={does}>
            <dt>
              {combination.map((key) => (
                <kbd key={key}>{say.translate(key)}</kbd>
              ))}
            </dt>
            <dd>{say(does)}</dd>
          </div>
        ))}
      </dl>
      <p className="quiet">
        {say(
          "Shortcuts act only on the focused card, and never while you type. A new card never takes the focus.",
        )}
      </p>
      <div className="dialog-actions">
        <Button onClick={onClose}>{say("Close")}</Button>
      </div>
    </Dialog>
  );
}
