import { Menu as BaseMenu } from "@base-ui/react/menu";
import { useRef, type FocusEvent, type ReactNode, type RefObject } from "react";

import "./styles/menu.css";

/** An entry of a menu. */
export interface MenuEntry {
  readonly name: string;
  /** It cannot be undone. */
  readonly danger?: boolean;
  readonly run: () => void;
  /** Returns the element to focus afterwards. Default: the button. */
  readonly findFocus?: () => HTMLElement | null | undefined;
}

interface MenuProps {
  /** The menu is next to this button, and returns the focus to it. */
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly entries: readonly MenuEntry[];
  /** If opened with a key, the first entry is selected. */
  readonly by: "pointer" | "keyboard";
  readonly onClose: () => void;
}

/** A menu, open while it is mounted. */
export function Menu({ button, entries, by, onClose }: MenuProps): ReactNode {
  const chosen = useRef<MenuEntry>(undefined);
  const choose = (entry: MenuEntry): void => {
    chosen.current = entry;
    entry.run();
  };
  const chooses = useRef(by === "keyboard");
  const chooseFirst = ({ currentTarget }: FocusEvent): void => {
    if (!chooses.current) return;
    chooses.current = false;
    currentTarget.querySelector<HTMLElement>("[role=menuitem]")?.focus();
  };
  return (
    <BaseMenu.Root open onOpenChange={(open) => !open && onClose()}>
      {/* Rendered inside its landmark, for people who navigate by landmarks. */}
      <BaseMenu.Portal
        className="menu-portal"
        container={button.current?.closest<HTMLElement>("nav, main, aside, dialog")}
      >
        <BaseMenu.Positioner
          className="menu-place"
          anchor={button}
          positionMethod="fixed"
          align="end"
          sideOffset={4}
          collisionPadding={8}
        >
          <BaseMenu.Popup
            className="menu"
            aria-label={button.current?.textContent ?? ""}
            finalFocus={() => chosen.current?.findFocus?.() ?? button.current}
            onFocus={chooseFirst}
          >
            {entries.map((entry) => (
              <BaseMenu.Item
                key={entry.name}
                className="menu-entry"
                data-danger={entry.danger || undefined}
                onClick={() => choose(entry)}
              >
                {entry.name}
              </BaseMenu.Item>
            ))}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}
