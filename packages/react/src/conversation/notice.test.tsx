// @vitest-environment happy-dom
import type { AgentErrorCode } from "@holdpoint/protocol";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";

import { Notice } from "./notice.tsx";

afterEach(cleanup);

const AT = "2026-01-01T00:00:00.000Z";
const show = (code: AgentErrorCode, message: string, retryAt?: string) =>
  render(
    <Notice
      item={{ type: "error", key: "e", at: AT, code, message, ...(retryAt && { retryAt }) }}
    />,
  ).container;

test.each([
  ["AGENT_UNAUTHENTICATED", /not signed in.*Log in with Claude Code/s],
  ["AGENT_OVERLOADED", /overloaded.*Wait a minute/s],
  ["AGENT_UNREACHABLE", /cannot be reached.*Check the network/s],
  ["AGENT_NOT_INSTALLED", /program is missing.*Reinstall/s],
  ["AGENT_CWD_GONE", /directory no longer exists.*Restore it/s],
  ["AGENT_CONTEXT_FULL", /too long.*\/compact/s],
  ["AGENT_NO_CREDIT", /no credit.*Add credit/s],
] as const)("%s is shown with its way out", (code, words) => {
  expect(show(code, "").textContent).toMatch(words);
});

test("a limit shows when it ends, and the runtime's message is text", () => {
  const container = show("AGENT_RATE_LIMITED", "<b>5-hour limit</b> \u202ereached", AT);
  expect(container.querySelector("time")?.dateTime).toBe(AT);
  expect(container.querySelector("b")).toBeNull();
  expect(container.textContent).not.toContain("\u202e");
  expect(screen.getByText(/The limit resets:/)).toBeTruthy();
});
