// @vitest-environment happy-dom
import { render } from "@testing-library/react";
import { expect, test } from "vitest";

import { PathText } from "./path-text.tsx";

test.each([
  ["/srv/app/main.ts", 3],
  ["main.ts", 0],
  ["/", 0],
  ["C:\\app\\main.ts", 2],
  ["/srv//app/", 3],
])("%s is shown whole, and may break at %i places", (path, places) => {
  const { container } = render(<PathText path={path} />);
  expect(container.textContent).toBe(path);
  expect(container.querySelectorAll("wbr")).toHaveLength(places);
});

test("the name at the end stands out, and hidden characters in a path are marked", () => {
  const { container } = render(<PathText path={"/srv/evil\u202etxt.exe"} />);
  expect(container.querySelector(".hp-path-name .hp-mark")).not.toBeNull();
});
