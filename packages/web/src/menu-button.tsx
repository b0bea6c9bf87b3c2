import { Button } from "@holdpoint/react";
import { useRef, useState, type ComponentProps, type ReactNode } from "react";

import type { MenuEntry } from "./menu.tsx";
import { createPagePart } from "./page-part.ts";

const loadMenu = () => import("./menu.tsx");
const Menu = createPagePart(async () => (await loadMenu()).Menu);

type MenuButtonProps = Omit<
  ComponentProps<typeof Button>,
  "onClick" | "onFocus" | "onPointerEnter" | "ref"
> & {
  readonly entries: readonly MenuEntry[];
};

/** A failure shows when it is pressed. */
function prepare(): void {
  loadMenu().catch(() => undefined);
}

/** A button with a menu. The button is drawn at once; the menu is loaded when somebody comes near it. */
export function MenuButton({ entries, ...props }: MenuButtonProps): ReactNode {
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState<"pointer" | "keyboard">();
  return (
    <>
      <Button
        {...props}
        ref={button}
        aria-haspopup="menu"
        aria-expanded={open !== undefined}
        onPointerEnter={prepare}
        onFocus={prepare}
        // A press of a key is a click that no pointer has made.
        onClick={({ detail }) => setOpen(detail === 0 ? "keyboard" : "pointer")}
      />
      {open !== undefined && (
        <Menu button={button} entries={entries} by={open} onClose={() => setOpen(undefined)} />
      )}
    </>
  );
}
