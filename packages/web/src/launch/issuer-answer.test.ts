import { expect, test } from "vitest";

import { takeIssuerAnswer } from "./issuer-answer.ts";

/** An address bar that keeps the address put into it. */
function openAt(path: string) {
  const url = new URL(path, "http://127.0.0.1");
  const location = { pathname: url.pathname, search: url.search };
  const replaceState = (_data: unknown, _title: string, next?: string | URL | null): void => {
    const { pathname, search } = new URL(next ?? "", url);
    Object.assign(location, { pathname, search });
  };
  return { location, history: { replaceState } };
}

test("the issuer's answer is used, and the address bar is cleared", () => {
  const { location, history } = openAt("/signed-in/login.example.org?code=a%2Bb&state=c.d");
  expect(takeIssuerAnswer(location, history)).toEqual({
    issuerId: "login.example.org",
    answer: "code=a%2Bb&state=c.d",
  });
  expect(location).toEqual({ pathname: "/", search: "" });
});

test.each(["/", "/signed-in", "/signed-in/", "/signed-in/a/b?code=1", "/signed-in/%2e%2e?code=1"])(
  "nothing is used at %s",
  (path) => {
    const { location, history } = openAt(path);
    const before = { ...location };
    expect(takeIssuerAnswer(location, history)).toBeUndefined();
    expect(location).toEqual(before);
  },
);
