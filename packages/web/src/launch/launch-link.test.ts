import { expect, test, vi } from "vitest";

import { takeLaunchLink } from "./launch-link.ts";

test("the link is used and the address bar is cleared, keeping the path", () => {
  const replaceState = vi.fn<History["replaceState"]>();
  const location = { hash: "#code=abc_-1&gateway=xyz", pathname: "/i/int_1", search: "" };
  expect(takeLaunchLink(location, { replaceState })).toEqual({ code: "abc_-1", gateway: "xyz" });
  expect(replaceState).toHaveBeenCalledWith(null, "", "/i/int_1");
});

test.each(["", "#", "#section"])("without a code in %o nothing changes", (hash) => {
  const replaceState = vi.fn<History["replaceState"]>();
  expect(takeLaunchLink({ hash, pathname: "/", search: "" }, { replaceState })).toBeUndefined();
  expect(replaceState).not.toHaveBeenCalled();
});
