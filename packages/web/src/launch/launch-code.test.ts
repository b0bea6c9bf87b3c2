import { expect, test, vi } from "vitest";

import { takeLaunchCode } from "./launch-code.ts";

test("the code is taken and the address bar is cleared, keeping the path", () => {
  const replaceState = vi.fn<History["replaceState"]>();
  const location = { hash: "#code=abc_-1", pathname: "/i/int_1", search: "" };
  expect(takeLaunchCode(location, { replaceState })).toBe("abc_-1");
  expect(replaceState).toHaveBeenCalledWith(null, "", "/i/int_1");
});

test.each(["", "#", "#section"])("without a code in %o nothing is touched", (hash) => {
  const replaceState = vi.fn<History["replaceState"]>();
  expect(takeLaunchCode({ hash, pathname: "/", search: "" }, { replaceState })).toBeUndefined();
  expect(replaceState).not.toHaveBeenCalled();
});
