import { describe, expect, test } from "vitest";

import { ada, openFixture } from "../testing/gateway-fixture.ts";
import { rankPaths } from "./find-files.ts";

const PATHS = ["README.md", "src/read.ts", "src/lib/already.ts", "docs/threads/a.md", "z.ts"];

describe("the files of a session's directory", () => {
  test("match the text, with names that begin with it first, and include their folders", async () => {
    const asked: string[] = [];
    const listFiles = async (cwd: string) => {
      asked.push(cwd);
      return { paths: PATHS, isPartial: true as const };
    };
    await using fixture = await openFixture(async () => ({ reason: "done" }), { listFiles });
    const sessionId = await fixture.createSession();
    const find = (text: string, limit = 50) =>
      fixture.gateway.findFiles(ada, sessionId, { text, limit });
    expect(await find("READ")).toEqual({
      items: [
        { path: "README.md" },
        { path: "src/read.ts" },
        { path: "docs/threads/" },
        { path: "src/lib/already.ts" },
        { path: "docs/threads/a.md" },
      ],
      isPartial: true,
    });
    expect((await find("src/")).items[0]).toEqual({ path: "src/" });
    expect((await find("", 2)).items).toHaveLength(2);
    expect((await find("nowhere")).items).toEqual([]);
    const { cwd } = await fixture.gateway.getSession(ada, sessionId);
    expect(new Set(asked)).toEqual(new Set([cwd]));
    await expect(
      fixture.gateway.findFiles(ada, "no", { text: "", limit: 1 }),
    ).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("are not listed if agents may no longer work there, and never for an agent", async () => {
    let problem: string | undefined;
    await using fixture = await openFixture(async () => ({ reason: "done" }), {
      refuseCwd: async () => problem,
      listFiles: async () => ({ paths: PATHS }),
    });
    const sessionId = await fixture.createSession();
    const query = { text: "", limit: 50 };
    expect((await fixture.gateway.findFiles(ada, sessionId, query)).items).not.toEqual([]);
    const agent = { principal: "agent", person: "", client: "" } as const;
    await expect(fixture.gateway.findFiles(agent, sessionId, query)).rejects.toMatchObject({
      code: "FORBIDDEN",
    });
    const folder = { ...query, cwd: "/elsewhere" };
    expect((await fixture.gateway.findFolderFiles(ada, folder)).items).not.toEqual([]);
    // A program reads of folders what their sessions show.
    for (const caller of [
      agent,
      { ...ada, scope: "read" },
      { ...ada, scope: "respond" },
    ] as const) {
      await expect(fixture.gateway.findFolderFiles(caller, folder)).rejects.toMatchObject({
        code: "FORBIDDEN",
      });
    }
    for (const cwd of ["elsewhere", "../elsewhere", ""]) {
      await expect(fixture.gateway.findFolderFiles(ada, { ...query, cwd })).rejects.toMatchObject({
        code: "INVALID_REQUEST",
      });
    }
    problem = "The data folder lies inside.";
    await expect(fixture.gateway.findFolderFiles(ada, folder)).rejects.toMatchObject({
      code: "INVALID_REQUEST",
    });
    await expect(fixture.gateway.findFiles(ada, sessionId, query)).rejects.toMatchObject({
      code: "INVALID_REQUEST",
    });
  });

  test("are found at once even if there are many", () => {
    const many = Array.from(
      { length: 20_000 },
      (_, index) => `src/${index % 100}/file-${index}.ts`,
    );
    expect(rankPaths(many, "file-19999")).toEqual(["src/99/file-19999.ts"]);
  });
});
