import { type FolderTrust, ProtocolError } from "@holdpoint/protocol";

import type { KeyPrompt } from "./key-prompt.ts";
import { isTrustedBefore } from "./offer-lines.ts";
import type { TrustedFolder } from "./trusted-folder.ts";

export interface OfferNoticeOptions {
  readonly folder: TrustedFolder;
  /** Absent if no one can press a key. */
  readonly prompt?: KeyPrompt | undefined;
  readonly say: (line: string) => void;
}

/** Notifies the person in the gateway's own terminal or log of files that are not loaded, once for each content. */
export class OfferNotice implements Disposable {
  readonly #options: OfferNoticeOptions;
  #told: string | undefined;
  #asking: AbortController | undefined;

  constructor(options: OfferNoticeOptions) {
    this.#options = options;
  }

  /**
   * Checks the folder and reports new content. In a terminal it asks, and carries out a yes. Resolves when the person
   * has answered, or the question is withdrawn.
   */
  async tell(): Promise<void> {
    const trust = await this.#options.folder.read();
    const { offer, problem = offer?.problem } = trust;
    const told = offer?.hash ?? problem;
    if (told === this.#told) return;
    this.#told = told;
    this.withdraw();
    if (told === undefined) return;
    const { prompt } = this.#options;
    if (problem !== undefined) this.#say(`${problem} Nothing new of ${trust.path} is loaded.`);
    else if (prompt === undefined) this.#say(toNotLoaded(trust));
    else await this.#ask(prompt, trust);
  }

  /** Whether the question in the terminal is open. */
  get isAsking(): boolean {
    return this.#asking !== undefined;
  }

  /** Withdraws the question: a person has answered it elsewhere, or the files have changed again. */
  withdraw(): void {
    this.#asking?.abort();
    this.#asking = undefined;
  }

  /** Reports a yes that was given here or on the page, and the files that could not be loaded. */
  tellLoaded(
    files: number,
    { needsStart, failed }: Pick<FolderTrust, "failed" | "needsStart">,
  ): void {
    this.#say([toLoaded(files, failed), ...toNeedsStart(needsStart)].join(" "));
  }

  /** Withdraws the question. It is asked again when a gateway serves again, such as in a node's next term. */
  [Symbol.dispose](): void {
    this.withdraw();
    this.#told = undefined;
  }

  async #ask(prompt: KeyPrompt, trust: FolderTrust): Promise<void> {
    const { offer, path } = trust;
    if (offer === undefined) return;
    const { folder } = this.#options;
    const asking = new AbortController();
    this.#asking = asking;
    const isTrusted = await prompt.ask(trust, offer, asking.signal);
    if (this.#asking === asking) this.#asking = undefined;
    if (isTrusted === undefined || asking.signal.aborted) return;
    if (!isTrusted) {
      this.#say("Not loaded. The page shows these files as well.");
      return;
    }
    const { hash } = offer;
    await folder.trust({ path, hash }).catch((error: unknown) => {
      if (!ProtocolError.isInstance(error)) throw error;
      this.#say(error.message);
    });
    await this.tell();
  }

  #say(line: string): void {
    this.#options.say(`holdpoint: ${line.replaceAll("\n", " ")}`);
  }
}

function toNotLoaded({ path, loaded, offer }: FolderTrust): string {
  const names = offer?.files.filter(({ change }) => change !== "same").map(({ name }) => name);
  const [first = "", ...others] = [...(names ?? []), ...(offer?.removed ?? [])];
  const what = others.length === 0 ? first : `${first} and ${others.length} more`;
  if (loaded) {
    return `${what} changed in ${path}. The change is not loaded until you trust it on the page.`;
  }
  if (offer && isTrustedBefore(offer)) {
    return `Files in ${path} have changed since you trusted them: ${what}. None is loaded until you trust them again on the page.`;
  }
  return `${what} in ${path} ${others.length === 0 ? "is" : "are"} not loaded: no one has trusted this. Review it on the page.`;
}

function toLoaded(files: number, failed: FolderTrust["failed"]): string {
  if (files === 0) return "Nothing of this folder is loaded now.";
  if (failed.length === 0) return "Loaded.";
  const names = failed.map(({ source }) => source).join(", ");
  return failed.length < files
    ? `Could not be loaded: ${names}. The other files are loaded.`
    : `Could not be loaded: ${names}.`;
}

function toNeedsStart(needsStart: readonly string[]): string[] {
  return needsStart.length === 0
    ? []
    : [`These settings take effect at the next start: ${needsStart.join(", ")}.`];
}
