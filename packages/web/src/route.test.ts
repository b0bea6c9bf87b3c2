import { describe, expect, test } from "vitest";

import { parseRoute, toPath, type Route } from "./route.ts";

describe("routes", () => {
  test.each<Route>([
    { name: "home" },
    { name: "grants" },
    { name: "folder" },
    { name: "history" },
    { name: "devices" },
    { name: "session", sessionId: "ses_1" },
    { name: "interaction", interactionId: "a/b ü?#" },
  ])("a path reads back as the route that it was made from: $name", (route) => {
    expect(parseRoute(toPath(route))).toEqual(route);
  });

  test.each([
    "/s",
    "/s/",
    "/s/a/b",
    "/grants/x",
    "/devices/x",
    "/folder/x",
    "/history/x",
    "/x/1",
    "/s/%E0%A4%A",
    "/i",
  ])("%s is unknown", (path) => {
    expect(parseRoute(path)).toEqual({ name: "unknown" });
  });
});
