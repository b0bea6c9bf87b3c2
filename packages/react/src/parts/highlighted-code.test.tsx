// @vitest-environment happy-dom
import { cleanup, render, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";

import { CodeHighlightContext, type HighlightCode } from "./code-highlighter.ts";
import { MarkdownRenderer } from "./markdown-renderer.tsx";

afterEach(cleanup);

function show(text: string, tokens: Awaited<ReturnType<HighlightCode>>) {
  const highlight = vi.fn<HighlightCode>(async () => tokens);
  const { container } = render(
    <CodeHighlightContext value={highlight}>
      <MarkdownRenderer text={text} />
    </CodeHighlightContext>,
  );
  return { container, highlight };
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 400));

test("code in a message gets its colours, as text", async () => {
  const { container, highlight } = show("```ts\nconst <b>a</b> = 1;\n```", [
    { text: "const", kind: "keyword" },
    { text: " <b>a</b> = 1;\n" },
  ]);
  expect(container.querySelector("pre")?.textContent).toBe("const <b>a</b> = 1;\n");
  await waitFor(() =>
    expect(container.querySelector(".hp-token-keyword")?.textContent).toBe("const"),
  );
  expect(container.querySelector("pre")?.textContent).toBe("const <b>a</b> = 1;\n");
  expect(container.querySelector("b")).toBeNull();
  expect(highlight.mock.calls).toEqual([["const <b>a</b> = 1;\n", "ts"]]);
});

test.each([
  ["another text", [{ text: "rm -rf /", kind: "keyword" }]],
  ["no tokens", undefined],
] as const)("nothing is drawn of %s", async (_, tokens) => {
  const { container, highlight } = show("```sh\nls\n```", tokens);
  await waitFor(() => expect(highlight).toHaveBeenCalled());
  await pause();
  expect(container.querySelector("pre")?.textContent).toBe("ls\n");
  expect(container.querySelector("[class^=hp-token]")).toBeNull();
});

test("an unknown kind has no class", async () => {
  const kind = "x onclick" as never;
  const { container, highlight } = show("```sh\nls\n```", [{ text: "ls\n", kind }]);
  await waitFor(() => expect(highlight).toHaveBeenCalled());
  await pause();
  expect(container.querySelector("[class*=onclick]")).toBeNull();
});

test.each([
  ["hidden characters", "```ts\nconst a\u202e = 1;\n```"],
  ["more than twenty thousand characters", `\`\`\`ts\n${"a = 1;\n".repeat(3000)}\`\`\``],
  ["no language", "```\nconst a = 1;\n```"],
])("code with %s keeps one colour", async (_, text) => {
  const { highlight } = show(text, [{ text: "x" }]);
  await pause();
  expect(highlight).not.toHaveBeenCalled();
});

test("[R-20] the first thousand tokens of a long block have colours, and all of it is there", async () => {
  const code = "a;".repeat(2000);
  const tokens = Array.from({ length: 4000 }, (_, index) =>
    index % 2 === 0 ? ({ text: "a", kind: "keyword" } as const) : { text: ";" },
  );
  const { container } = show(`\`\`\`ts\n${code}\n\`\`\``, [...tokens, { text: "\n" }]);
  await waitFor(() => expect(container.querySelectorAll(".hp-token-keyword")).toHaveLength(500));
  expect(container.querySelector("pre")?.textContent).toBe(`${code}\n`);
});
