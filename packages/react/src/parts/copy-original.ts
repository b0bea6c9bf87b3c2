import type { ClipboardEvent } from "react";

const BLOCK = /^(?:P|LI|DIV|PRE|TR|H\d|FIGURE|BLOCKQUOTE|D[TD]|BR)$/;

/** If the selection contains marks, copies the original text instead. */
export function copyOriginal(event: ClipboardEvent<HTMLElement>): void {
  const selection = document.getSelection();
  if (event.defaultPrevented || selection === null || selection.rangeCount === 0) return;
  const range = selection.getRangeAt(0);
  const copy = range.cloneContents();
  if (copy.querySelector("[data-raw]") === null) return;
  event.clipboardData.setData("text/plain", readOriginal(copy));
  event.preventDefault();
}

function readOriginal(node: Node): string {
  if (node instanceof Text) return node.data;
  if (!(node instanceof HTMLElement)) return readChildren(node);
  if (node.dataset["raw"] !== undefined) return node.dataset["raw"];
  if (node.matches("button, .hp-visually-hidden")) return "";
  const text = readChildren(node);
  return BLOCK.test(node.tagName) && !text.endsWith("\n") ? `${text}\n` : text;
}

function readChildren(node: Node): string {
  return Array.from(node.childNodes, readOriginal).join("");
}
