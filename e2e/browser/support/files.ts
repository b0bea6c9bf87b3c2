import type { Locator, Page } from "playwright-core";

import { composer } from "./conversation.ts";

/** A file of a person's. */
export interface Given {
  readonly name: string;
  readonly data: string;
  readonly type?: string;
}
export const text = (name: string, content: string): Given => ({
  name,
  data: Buffer.from(content).toString("base64"),
});

/** The message field of the start page. */
export const firstMessage = (page: Page): Locator =>
  page.getByRole("textbox", { name: "First message" });

/** Pastes the files into the field, or drops them on the page from another window, as a person does. */
export function give(page: Page, how: "drop" | "paste", files: readonly Given[]): Promise<void> {
  return composer(page)
    .or(firstMessage(page))
    .evaluate(
      (field, { how, files }) => {
        const data = new DataTransfer();
        for (const { name, data: base64, type = "" } of files) {
          const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
          data.items.add(new File([bytes], name, { type }));
        }
        const bubbles = { bubbles: true, cancelable: true };
        if (how === "paste") {
          field.dispatchEvent(new ClipboardEvent("paste", { ...bubbles, clipboardData: data }));
          return;
        }
        for (const type of ["dragenter", "dragover", "drop"]) {
          document.body.dispatchEvent(new DragEvent(type, { ...bubbles, dataTransfer: data }));
        }
      },
      { how, files },
    );
}

export const chips = (page: Page): Locator =>
  page.getByRole("list", { name: "Files of this message" }).getByRole("listitem");
/** The names of the uploaded files. */
export const chipNames = (page: Page): Promise<string[]> =>
  page.locator(".hp-attachment[data-state=ready] .hp-attachment-name").allTextContents();
