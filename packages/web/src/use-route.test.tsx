// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, expect, test } from "vitest";

import { Link } from "./link.tsx";
import { useRoute } from "./use-route.ts";

beforeEach(() => history.replaceState(null, "", "/"));
afterEach(cleanup);

function Page(): ReactNode {
  const route = useRoute();
  return <Link to={{ name: "session", sessionId: "s1" }}>{JSON.stringify(route)}</Link>;
}

test("a link opens its route without loading the page, and Back returns", async () => {
  render(<Page />);
  fireEvent.click(screen.getByRole("link"));
  expect(location.pathname).toBe("/s/s1");
  expect(screen.getByRole("link").textContent).toBe('{"name":"session","sessionId":"s1"}');
  history.replaceState(null, "", "/");
  await act(async () => void window.dispatchEvent(new PopStateEvent("popstate")));
  expect(screen.getByRole("link").textContent).toBe('{"name":"home"}');
});

test.each([{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }, { button: 1 }])(
  "with %o a link is left to the browser",
  (more) => {
    render(<Page />);
    fireEvent.click(screen.getByRole("link"), more);
    expect(screen.getByRole("link").textContent).toBe('{"name":"home"}');
  },
);
