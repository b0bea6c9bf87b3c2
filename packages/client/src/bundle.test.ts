import { fileURLToPath } from "node:url";

import { build } from "vite";
import { expect, test } from "vitest";

test("a page that uses the client loads no schemas with it", async () => {
  const result = await build({
    configFile: false,
    logLevel: "silent",
    build: {
      write: false,
      lib: { entry: fileURLToPath(new URL("index.ts", import.meta.url)), formats: ["es"] },
    },
  });
  const outputs = Array.isArray(result) ? result : "output" in result ? [result] : [];
  const chunks = outputs.flatMap(({ output }) => output).filter((part) => part.type === "chunk");
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const loaded = new Set(chunks.filter(({ isEntry }) => isEntry));
  for (const { imports } of loaded) {
    for (const name of imports) loaded.add(byName.get(name)!);
  }
  const modules = [...loaded]
    .flatMap((chunk) => Object.entries(chunk.modules))
    .filter(([, module]) => module.renderedLength > 0)
    .map(([id]) => id);
  for (const name of ["http/http-transport", "websocket/websocket-transport"]) {
    expect(modules.some((id) => id.endsWith(`/client/src/transports/${name}.ts`))).toBe(true);
  }
  expect(
    modules.filter((id) => /\/zod\/|-schema\.ts$|\/protocol\/src\/(http|socket)\.ts$/.test(id)),
  ).toEqual([]);
});
