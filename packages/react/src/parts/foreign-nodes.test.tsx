// @vitest-environment happy-dom

import { act, render } from "@testing-library/react";
import { useEffect, useState, type ReactNode } from "react";
import { afterEach, expect, test } from "vitest";

import { keepFromForeignChanges } from "./foreign-nodes.ts";

afterEach(() => {
  document.body.replaceChildren();
});

/** Changes that a translation or an extension makes to a text node. */
const CHANGES: Readonly<Record<string, (text: Text) => void>> = {
  "replaced by a font element": (text) => {
    text.parentNode?.replaceChild(fontOf(document.createTextNode(text.data)), text);
  },
  "put into a font element": (text) => {
    const font = document.createElement("font");
    text.parentNode?.replaceChild(font, text);
    font.append(text);
  },
  "removed after a font element was put beside it": (text) => {
    text.parentNode?.insertBefore(fontOf(document.createTextNode(text.data)), text);
    text.remove();
  },
  "replaced twice": (text) => {
    const font = fontOf(document.createTextNode(text.data));
    text.parentNode?.replaceChild(font, text);
    font.parentNode?.replaceChild(fontOf(document.createTextNode(text.data)), font);
  },
};

function fontOf(text: Text): HTMLElement {
  const [outer, inner] = [document.createElement("font"), document.createElement("font")];
  inner.append(text);
  outer.append(inner);
  return outer;
}

function changeAll(root: Node, change: (text: Text) => void): void {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const text of texts) change(text);
}

let show: (step: number) => void = () => undefined;

/** Texts between elements, which come, change and go. */
function Texts(): ReactNode {
  const [step, setStep] = useState(0);
  useEffect(() => {
    show = setStep;
  }, []);
  return (
    <p>
      {step === 1 && "new "}
      {step < 2 && "Delete "}
      {step === 1 && <b>the </b>}
      {step === 0 ? "one" : "two"}
      {step > 1 && <i>gone</i>} files
    </p>
  );
}

test.each(Object.entries(CHANGES))(
  "a text that is %s is still changed, preceded and removed correctly",
  (_, change) => {
    const { container } = render(<Texts />);
    keepFromForeignChanges(container);
    for (const [step, text] of ["new Delete the two files", "twogone files"].entries()) {
      changeAll(container, change);
      act(() => show(step + 1));
      expect(container.textContent).toBe(text);
    }
    act(() => show(0));
    expect(container.textContent).toBe("Delete one files");
  },
);

test("nodes that an extension has removed or moved away do not stop React", () => {
  const { container } = render(<Texts />);
  keepFromForeignChanges(container);
  changeAll(container, (text) => text.remove());
  act(() => show(1));
  expect(container.textContent).toContain("new ");
  const elsewhere = document.body.appendChild(document.createElement("aside"));
  changeAll(container, (text) => elsewhere.append(text));
  act(() => show(2));
  expect(container.textContent).toContain("gone");
});

test("other nodes of the page behave as usual", () => {
  keepFromForeignChanges(document.createElement("div"));
  const [parent, child] = [document.createElement("p"), document.createElement("b")];
  expect(() => parent.removeChild(child)).toThrow(/child/u);
  expect(() => parent.insertBefore(document.createTextNode("x"), child)).toThrow(/child/u);
});

test("nodes in a shadow root below a watched node are protected from foreign changes too", () => {
  const host = document.createElement("div");
  const shadow = host.attachShadow({ mode: "open" });
  keepFromForeignChanges(host);
  expect(() => shadow.removeChild(document.createElement("b"))).not.toThrow();
});
