import { ClientError } from "holdpoint/client";
import { toCallTroubleWords } from "holdpoint/react";

import { showAssistant } from "./assistant.tsx";
import { isSignedIn, openTransport, signIn } from "./gateway.ts";

const panel = find("#assistant");
const form = find("#connect");
const toggle = find("#assistant-toggle");
const gateway = panel.dataset["gateway"] ?? "";
const transport = openTransport(gateway);
let close: (() => void) | undefined;

async function open(): Promise<void> {
  const root = await showAssistant(panel, transport, "Release 4.2");
  close = () => root.unmount();
  form.hidden = true;
  toggle.hidden = false;
  find("#trouble").textContent = "";
}

function complain(error: unknown): void {
  const { title, wayOut } = toCallTroubleWords(error);
  // To a page that is refused, a browser tells no more than to one whose gateway is not there.
  find("#trouble").textContent = ClientError.isInstance(error)
    ? `${gateway} does not answer this page. Start it with --embed-origin ${location.origin}`
    : `${title}. ${wayOut}`;
  form.hidden = false;
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const field = find("#token") as HTMLInputElement;
  signIn(field.value);
  open().catch(complain);
  field.value = "";
});

toggle.addEventListener("click", () => {
  const isOpen = close !== undefined;
  close?.();
  close = undefined;
  toggle.textContent = isOpen ? "Show the assistant" : "Hide the assistant";
  if (!isOpen) open().catch(complain);
});

if (isSignedIn()) open().catch(complain);
else form.hidden = false;

function find(selector: string): HTMLElement {
  const element = document.querySelector<HTMLElement>(selector);
  if (element === null) throw new Error(`The page has no ${selector}.`);
  return element;
}
