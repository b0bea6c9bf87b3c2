import { Button } from "@holdpoint/react";
import { useRef, useState, type ComponentProps, type ReactNode } from "react";

import { Menu, type MenuEntry } from "./menu.tsx";

type MenuButtonProps = Omit<ComponentProps<typeof Button>, "onClick" | "ref"> & {
  readonly entries: readonly MenuEntry[];
};

/** A button with a menu. */
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
        // A key press is a click without a pointer.
        onClick={({ detail }) => setOpen(detail === 0 ? "keyboard" : "pointer")}
      />
      {open !== undefined && (
        <Menu button={button} entries={entries} by={open} onClose={() => setOpen(undefined)} />
      )}
    </>
  );
}
