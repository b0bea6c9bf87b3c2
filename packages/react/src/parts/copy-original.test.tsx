// @vitest-environment happy-dom
import { cleanup, createEvent, fireEvent, render } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";

import { copyOriginal } from "./copy-original.ts";
import { VisibleText } from "./visible-text.tsx";

afterEach(cleanup);

test("copying marked text copies the original text", () => {
  const text = "rm\u00A0-rf \u202Etxt.exe\n\tp\u0430ypal “x”  אב";
  const { container } = render(
    <pre onCopy={copyOriginal}>
      <VisibleText text={text} exact />
    </pre>,
  );
  const pre = container.querySelector("pre");
  if (pre === null) throw new Error("There is no text.");
  expect(pre.textContent).not.toContain("\u202E");
  document.getSelection()?.selectAllChildren(pre);
  let copied = "";
  const setData = (_type: string, data: string): void => void (copied = data);
  const event = createEvent.copy(pre, { clipboardData: { setData } });
  fireEvent(pre, event);
  expect(copied).toBe(text);
  expect(event.defaultPrevented).toBe(true);
});
