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

/** Loads the menu ahead of its first use. A failure is shown when it is opened. */
function prepare(): void {
  loadMenu().catch(() => undefined);
}

/** A button with a menu. The button is drawn at once; the menu is loaded when the pointer or the focus comes near. */
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
        // A key press is a click without a pointer.
        onClick={({ detail }) => setOpen(detail === 0 ? "keyboard" : "pointer")}
      />
      {open !== undefined && (
        <Menu button={button} entries={entries} by={open} onClose={() => setOpen(undefined)} />
      )}
    </>
  );
}
