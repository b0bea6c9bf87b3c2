// @vitest-environment happy-dom
import { type Attachment, ProtocolError } from "@holdpoint/protocol";
import { cleanup, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { renderConversation, stubLayout, toLog } from "./testing/render-conversation.tsx";

beforeEach(stubLayout);
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const picture: Attachment = {
  attachmentId: "pic_1",
  name: "picture.png",
  mediaType: "image/png",
  bytes: 3,
  width: 30,
  height: 20,
};

const renderResult = (
  toolName: string,
  { content = "", attachments = [picture] as Attachment[], read = async () => "AAAA" } = {},
) =>
  renderConversation({
    log: toLog(
      { type: "turn_started", turnId: "turn-1" },
      { type: "tool_call", turnId: "turn-1", toolCallId: "c1", toolName, input: {} },
      {
        type: "tool_result",
        turnId: "turn-1",
        toolCallId: "c1",
        content,
        isError: false,
        attachments,
      },
    ),
    transport: {
      readAttachment: async (_, attachmentId) => ({ ...picture, attachmentId, data: await read() }),
    },
  });

describe("the pictures that a tool call returned", () => {
  test("are shown without opening the call, under the name of their tool", async () => {
    await renderResult("mcp__browser__screenshot");
    const button = await screen.findByRole("button", { name: "Open screenshot.png" });
    const image = button.querySelector("img");
    await vi.waitFor(() => expect(image?.getAttribute("src")).toBe("data:image/png;base64,AAAA"));
    expect(image?.getAttribute("alt")).toBe("screenshot.png");
    expect([image?.getAttribute("width"), image?.getAttribute("height")]).toEqual(["30", "20"]);
  });

  test("open as large as there is room", async () => {
    await renderResult("Read");
    fireEvent.click(await screen.findByRole("button", { name: "Open Read.png" }));
    const dialog = await screen.findByRole("dialog", { name: "Read.png" });
    expect(within(dialog).getByRole("img", { name: "Read.png" }).getAttribute("src")).toBe(
      "data:image/png;base64,AAAA",
    );
  });

  test("are not an empty result, and are shown with its text", async () => {
    await renderResult("Read");
    fireEvent.click(screen.getByRole("button", { name: /^Read/ }));
    await screen.findByRole("button", { name: "Open Read.png" });
    expect(screen.queryByText("It returned nothing.")).toBeNull();
    cleanup();
    await renderResult("Read", { content: "took it" });
    fireEvent.click(screen.getByRole("button", { name: /^Read/ }));
    expect(await screen.findByText("took it")).toBeDefined();
    expect(screen.getAllByRole("button", { name: "Open Read.png" })).toHaveLength(1);
  });

  test("are drawn only if a browser can, and otherwise shown as a file with its name", async () => {
    await renderResult("Read", { attachments: [{ ...picture, width: 9000, height: 5000 }] });
    expect(await screen.findByText("Read.png")).toBeDefined();
    cleanup();
    const read = async (): Promise<string> => {
      throw new ProtocolError("NOT_FOUND", "There is no such file.");
    };
    await renderResult("Read", { read });
    expect(await screen.findByText("Read.png")).toBeDefined();
    expect(document.querySelector("main img")).toBeNull();
  });
});
