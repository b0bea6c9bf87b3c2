// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, describe, expect, test, vi } from "vitest";

import { useShellKeys } from "./use-shell-keys.ts";

afterEach(cleanup);

function setup() {
  const onWaiting = vi.fn<(direction: 1 | -1) => void>();
  const onHelp = vi.fn<() => void>();
  const onPalette = vi.fn<() => void>();
  function Page(): ReactNode {
    useShellKeys({ onWaiting, onHelp, onPalette });
    return (
      <>
        <input aria-label="Name" />
        <textarea aria-label="Message" />
        <button type="button">Press</button>
      </>
    );
  }
  render(<Page />);
  return { onWaiting, onHelp, onPalette };
}

describe("the keys of the page", () => {
  test("J and K go through open requests, and ? opens the list of keys", () => {
    const { onWaiting, onHelp } = setup();
    fireEvent.keyDown(document.body, { key: "j" });
    fireEvent.keyDown(screen.getByRole("button"), { key: "K", shiftKey: true });
    fireEvent.keyDown(document.body, { key: "?", shiftKey: true });
    expect(onWaiting.mock.calls).toEqual([[1], [-1]]);
    expect(onHelp).toHaveBeenCalledOnce();
  });

  test("Ctrl+K and ⌘K open the palette, even while typing, but not over a dialog", () => {
    const { onPalette, onWaiting } = setup();
    fireEvent.keyDown(document.body, { key: "k", ctrlKey: true });
    fireEvent.keyDown(screen.getByLabelText("Message"), { key: "k", metaKey: true });
    expect(onPalette).toHaveBeenCalledTimes(2);
    const dialog = document.body.appendChild(document.createElement("dialog"));
    dialog.setAttribute("open", "");
    fireEvent.keyDown(document.body, { key: "k", ctrlKey: true });
    dialog.remove();
    expect(onPalette).toHaveBeenCalledTimes(2);
    expect(onWaiting).not.toHaveBeenCalled();
  });

  test.each(["Name", "Message"])("typed into %s they are letters", (name) => {
    const { onWaiting, onHelp } = setup();
    for (const key of ["j", "k", "?"]) fireEvent.keyDown(screen.getByLabelText(name), { key });
    expect(onWaiting).not.toHaveBeenCalled();
    expect(onHelp).not.toHaveBeenCalled();
  });

  test.each([
    { ctrlKey: true },
    { metaKey: true },
    { altKey: true },
    { repeat: true },
    { isComposing: true },
  ])("with %o they belong to another shortcut", (more) => {
    const { onWaiting } = setup();
    fireEvent.keyDown(document.body, { key: "j", ...more });
    expect(onWaiting).not.toHaveBeenCalled();
  });

  test.each([
    ["dialog", "open", ""],
    ["div", "role", "menu"],
  ])("do nothing while a %s with %s is open", (tag, name, value) => {
    const { onWaiting } = setup();
    const above = document.body.appendChild(document.createElement(tag));
    above.setAttribute(name, value);
    fireEvent.keyDown(document.body, { key: "j" });
    above.remove();
    expect(onWaiting).not.toHaveBeenCalled();
    fireEvent.keyDown(document.body, { key: "j" });
    expect(onWaiting).toHaveBeenCalledOnce();
  });
});
