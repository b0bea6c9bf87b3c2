// @vitest-environment happy-dom
import { render } from "@testing-library/react";
import { expect, test } from "vitest";

import { PathText } from "./path-text.tsx";

test.each(["/srv/app/main.ts", "main.ts", "/", "C:\\app\\main.ts", "/a//b/"])(
  "%s is shown whole, and may break after each folder",
  (path) => {
    const { container } = render(<PathText path={path} />);
    expect(container.textContent).toBe(path);
    expect(container.querySelectorAll("wbr")).toHaveLength(path.match(/[/\\]/g)?.length ?? 0);
  },
);

test("the name at its end stands out, and what cannot be seen in it is marked", () => {
  const { container } = render(<PathText path={"/srv/evil\u202etxt.exe"} />);
  expect(container.querySelector(".hp-path-name .hp-mark")).not.toBeNull();
});
