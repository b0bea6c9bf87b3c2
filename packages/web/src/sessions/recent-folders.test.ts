import { expect, test } from "vitest";

import { toFolders } from "./recent-folders.ts";

const session = (cwd: string, day: number) => ({
  cwd,
  createdAt: `2026-01-${String(day).padStart(2, "0")}T00:00:00.000Z`,
});

test("the last used folder comes first, each folder once, and the gateway's folder is always there", () => {
  const sessions = [session("/a", 1), session("/b", 3), session("/a", 2)];
  expect(toFolders("/own", sessions)).toEqual(["/b", "/a", "/own"]);
  expect(toFolders("/a", sessions)).toEqual(["/b", "/a"]);
  expect(toFolders(undefined, sessions)).toEqual(["/b", "/a"]);
  expect(toFolders("/own", [])).toEqual(["/own"]);
});

test("a few of very many folders are offered", () => {
  const sessions = Array.from({ length: 28 }, (_, index) => session(`/${index}`, index + 1));
  const folders = toFolders("/own", sessions);
  expect(folders).toHaveLength(9);
  expect([folders[0], folders.at(-1)]).toEqual(["/27", "/own"]);
});
