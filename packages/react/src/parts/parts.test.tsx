// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, test } from "vitest";

import { sayEnglish } from "../testing/say-english.ts";
import { AnnouncerProvider, useAnnounce } from "./announcer.tsx";
import { Button } from "./button.tsx";
import { DiffView } from "./diff-view.tsx";
import { tokenizeJson } from "./json-view.tsx";
import { Markdown } from "./markdown.tsx";
import { agoWords, remainingTime } from "./time-words.ts";

afterEach(cleanup);

describe("Markdown", () => {
  const show = async (text: string) => {
    const { container } = render(<Markdown text={text} />);
    await act(() => import("./markdown-renderer.tsx"));
    return container;
  };

  test("shows raw HTML as text, and loads no image", async () => {
    const container = await show(
      "<img src=x onerror=alert(1)> ![A chart](https://example.org/c.png)",
    );
    expect(container.querySelector("img")).toBeNull();
    expect(container.textContent).toContain("<img src=x onerror=alert(1)>");
    expect(container.textContent).toContain("Image: A chart");
    expect(container.textContent).toContain("https://example.org/c.png");
  });

  test("links show where they lead and give nothing away", async () => {
    const container = await show(
      "[your bank](https://evil.example/x) [https://a.example](https://a.example)",
    );
    const [link, plain] = container.querySelectorAll("a");
    expect(link?.textContent).toBe("your bank (evil.example)");
    expect(link?.rel).toBe("noreferrer noopener");
    expect(link?.target).toBe("_blank");
    expect(plain?.textContent).toBe("https://a.example");
  });

  test("a link whose text looks like another host shows its real host", async () => {
    const container = await show("[https://bank.example](https://evil.example)");
    expect(container.textContent).toContain("(evil.example)");
  });

  test("scripts and relative addresses are no links", async () => {
    const container = await show("[a](javascript:alert(1)) [b](/settings) [c](data:text/html,x)");
    expect(container.querySelector("a")).toBeNull();
  });

  test("marks hidden characters, in code as well", async () => {
    const container = await show("a\u200Bb `c\u202Ed`");
    expect([...container.querySelectorAll(".hp-mark")].map((mark) => mark.textContent)).toEqual([
      "ZWSP",
      "RLO",
    ]);
  });
});

describe("DiffView", () => {
  test("opens unchanged lines on demand", () => {
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
    const before = `${lines.join("\n")}\n`;
    const { container } = render(
      <DiffView before={before} after={`${before}end\n`} caption="a.txt" />,
    );
    expect(container.textContent).not.toContain("line 5\n");
    fireEvent.click(screen.getByRole("button", { name: "27 unchanged lines" }));
    expect(container.textContent).toContain("line 5\n");
    expect(screen.queryByRole("button", { name: /unchanged/ })).toBeNull();
  });
});

describe("Button", () => {
  test("keeps its place and ignores presses while it is blocked", () => {
    let pressed = 0;
    render(
      <Button blocked onClick={() => (pressed += 1)}>
        Allow
      </Button>,
    );
    const button = screen.getByRole("button", { name: "Allow" });
    button.focus();
    fireEvent.click(button);
    expect(pressed).toBe(0);
    expect(document.activeElement).toBe(button);
  });
});

describe("AnnouncerProvider", () => {
  test("announces the same words twice if they are sent twice", () => {
    function Speaker() {
      const announce = useAnnounce();
      return <Button onClick={() => announce("Copied")}>Copy</Button>;
    }
    const { container } = render(
      <AnnouncerProvider>
        <Speaker />
      </AnnouncerProvider>,
    );
    const spoken = () =>
      [...container.querySelectorAll("output")].map((output) => output.textContent);
    fireEvent.click(screen.getByRole("button", { name: "Copy" }));
    expect(spoken()).toEqual(["", "Copied"]);
    fireEvent.click(screen.getByRole("button", { name: "Copy" }));
    expect(spoken()).toEqual(["Copied", ""]);
  });
});

test("JSON tokens joined are the JSON again", () => {
  const json = JSON.stringify(
    { 'a": 1': ["x\\", -1.5e3, true, null, { b: "true" }] },
    undefined,
    2,
  );
  const tokens = tokenizeJson(json);
  expect(tokens.map((token) => token.text).join("")).toBe(json);
  expect(tokens.filter((token) => token.role === "key").map((token) => token.text)).toEqual([
    String.raw`"a\": 1"`,
    '"b"',
  ]);
});

test.each([
  [0, "just now"],
  [-5000, "just now"],
  [59_000, "just now"],
  [125_000, "2 min ago"],
  [7_300_000, "2 h ago"],
  [90_000_000, "yesterday"],
  [200_000_000, "2 days ago"],
])("%i ms back reads %s", (elapsed, words) => {
  expect(agoWords(0, elapsed, sayEnglish)).toBe(words);
});

test.each([
  [0, "time is up"],
  [900, "0:01 left"],
  [61_000, "1:01 left"],
  [125_000, "2 min left"],
  [8_000_000, "2 h left"],
  [200_000_000, "2 days left"],
])("%i ms ahead reads %s", (remaining, words) => {
  expect(remainingTime(remaining, sayEnglish)).toBe(words);
});
