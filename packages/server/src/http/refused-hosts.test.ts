import { expect, test } from "vitest";

import { rawRequest, serve } from "../testing/serve.ts";

interface Line {
  readonly fields: object;
  readonly message: string;
}

async function serveLogged() {
  const lines: Line[] = [];
  const warn = (fields: object, message: string) => void lines.push({ fields, message });
  const ignore = () => undefined;
  const served = await serve({ log: { info: ignore, warn, error: ignore } });
  const refuse = (host: string) => rawRequest(served.port, { headers: { host } });
  return { ...served, lines, refuse };
}

test("a refused host is logged once, with the setting that would allow it", async () => {
  await using served = await serveLogged();
  const { text } = await served.refuse("agents.example.org");
  await served.refuse("AGENTS.example.org");
  const { detail } = JSON.parse(text) as { detail: string };
  expect(detail).toContain('"agents.example.org"');
  expect(detail).toContain("publicUrl");
  expect(served.lines).toEqual([
    {
      fields: { host: "agents.example.org", setting: "publicUrl" },
      message: expect.stringContaining("--public-url"),
    },
  ]);
});

test("[R-20] invented host names cannot fill the log, and no foreign text gets into it", async () => {
  await using served = await serveLogged();
  await served.refuse("evil\tname");
  for (let index = 0; index < 100; index += 1) await served.refuse(`${index}.evil.example`);
  expect(served.lines).toHaveLength(32);
  expect(served.lines[0]?.fields).toMatchObject({ host: "(no name)" });
});
