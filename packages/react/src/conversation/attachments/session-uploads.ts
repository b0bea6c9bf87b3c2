import { ClientError } from "@holdpoint/client";
import { type Attachment, ProtocolError } from "@holdpoint/protocol";

import {
  attachmentsKey,
  parseAttachments,
  toAttachmentsText,
} from "../../hooks/draft-attachments.ts";
import type { HoldpointContext } from "../../hooks/provider.tsx";
import { keepAttachment } from "./attachment-data.ts";
import type { PickedFile } from "./read-file.ts";

/** The delays before each retry. After the last one, only the person can retry. */
const WAITS_MS: readonly number[] = [1, 2, 4, 8, 15, 30, 30, 30, 30, 30].map((s) => s * 1000);

/** Followed by the number of the file. */
const KEY_PREFIX = "open-";

/** A file whose upload is not finished. */
export interface OpenUpload {
  readonly key: string;
  readonly file: PickedFile;
  /** The failure of the last attempt; absent while one is running. */
  readonly error?: unknown;
  /** It will be retried automatically. */
  readonly triesAgain?: true;
}

export interface UploadsState {
  readonly open: readonly OpenUpload[];
  /** Names of files whose upload ended with an earlier page in this tab. Files cannot be kept across a reload. */
  readonly lost: readonly string[];
}

export type UploadsContext = Pick<
  HoldpointContext,
  "clock" | "draftChanges" | "drafts" | "transport"
>;

const ofPage = new WeakMap<UploadsContext, Map<string, SessionUploads>>();

/** The uploads of a session. They continue while another session is shown. */
export function uploadsOf(context: UploadsContext, sessionId: string): SessionUploads {
  const all = ofPage.get(context) ?? new Map<string, SessionUploads>();
  ofPage.set(context, all);
  const found = all.get(sessionId) ?? new SessionUploads(context, sessionId);
  all.set(sessionId, found);
  return found;
}

/** Uploads files at once into the session's draft. Retries for some minutes while the gateway is away. */
export class SessionUploads {
  readonly #context: UploadsContext;
  readonly #sessionId: string;
  readonly #listeners = new Set<() => void>();
  readonly #waits = new Map<string, AbortController>();
  /** The keys of finished uploads, by attachment id. */
  readonly #keyOf = new Map<string, string>();
  #count = 0;
  #state: UploadsState;

  constructor(context: UploadsContext, sessionId: string) {
    this.#context = context;
    this.#sessionId = sessionId;
    this.#state = { open: [], lost: readNames(sessionId) };
  }

  readonly getState = (): UploadsState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  add(file: PickedFile): void {
    this.#count += 1;
    const key = `${KEY_PREFIX}${this.#count}`;
    const { open, lost } = this.#state;
    this.#set({ open: [...open, { key, file }], lost: lost.filter((name) => name !== file.name) });
    void this.#upload(key, file);
  }

  /** Retries at once. */
  retry(key: string): void {
    const found = this.#state.open.find((one) => one.key === key);
    if (found) void this.#upload(key, found.file);
  }

  /** Removes a file. If it is being uploaded, it will not be added to the draft. */
  remove(key: string): void {
    this.#waits.get(key)?.abort();
    this.#waits.delete(key);
    this.#set({ ...this.#state, open: this.#state.open.filter((one) => one.key !== key) });
  }

  forgetLost(): void {
    this.#set({ ...this.#state, lost: [] });
  }

  async #upload(key: string, file: PickedFile): Promise<void> {
    this.#waits.get(key)?.abort();
    const waiting = new AbortController();
    this.#waits.set(key, waiting);
    const isCurrent = (): boolean => this.#waits.get(key) === waiting;
    for (const waitMs of [...WAITS_MS, undefined]) {
      this.#change(key, { key, file });
      const error = await this.#try(key, file, isCurrent);
      if (!isCurrent()) return;
      if (error === undefined) {
        this.remove(key);
        return;
      }
      const triesAgain = waitMs !== undefined && isAway(error);
      this.#change(key, { key, file, error, ...(triesAgain && { triesAgain }) });
      if (!triesAgain) return;
      await this.#context.clock.sleep(waitMs, { signal: waiting.signal }).catch(() => undefined); // removed or retried
      if (!isCurrent()) return;
    }
  }

  /** Resolves to the failure, or to `undefined` on success. */
  async #try(key: string, { name, data }: PickedFile, isCurrent: () => boolean): Promise<unknown> {
    const { transport } = this.#context;
    try {
      const attachment = await transport.uploadAttachment(this.#sessionId, { name, data });
      if (!isCurrent()) return undefined;
      keepAttachment(transport, this.#sessionId, { ...attachment, data });
      const { drafts, draftChanges } = this.#context;
      const draftKey = attachmentsKey(this.#sessionId);
      this.#keyOf.set(attachment.attachmentId, key);
      drafts.write(draftKey, toAttachmentsText(this.#insert(drafts.read(draftKey), attachment)));
      draftChanges.dispatchEvent(new Event(draftKey));
      return undefined;
    } catch (error: unknown) {
      return error ?? new Error("It failed without a reason.");
    }
  }

  /** The draft's attachments with one added, in the order in which the files were chosen. */
  #insert(draft: string | undefined, attachment: Attachment): Attachment[] {
    const all = parseAttachments(draft);
    const placeOf = ({ attachmentId }: Attachment): number =>
      Number(this.#keyOf.get(attachmentId)?.slice(KEY_PREFIX.length) ?? 0);
    const next = all.findIndex((other) => placeOf(other) > placeOf(attachment));
    return next === -1 ? [...all, attachment] : all.toSpliced(next, 0, attachment);
  }

  #change(key: string, upload: OpenUpload): void {
    const open = this.#state.open.map((one) => (one.key === key ? upload : one));
    this.#set({ ...this.#state, open });
  }

  #set(state: UploadsState): void {
    this.#state = state;
    writeNames(this.#sessionId, [...state.lost, ...state.open.map(({ file }) => file.name)]);
    for (const listener of this.#listeners) listener();
  }
}

/** Whether the gateway is unreachable or stopping. No other failure goes away on its own. */
function isAway(error: unknown): boolean {
  return (
    ClientError.isInstance(error) || (ProtocolError.isInstance(error) && error.code === "DRAINING")
  );
}

const nameKey = (sessionId: string): string => `holdpoint:uploads:${sessionId}`;

/** Stored per tab, so that another tab does not report this tab's files as lost. */
function readNames(sessionId: string): readonly string[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(nameKey(sessionId)) ?? "[]");
    return Array.isArray(stored) ? stored.filter((name) => typeof name === "string") : [];
  } catch {
    return [];
  }
}

function writeNames(sessionId: string, names: readonly string[]): void {
  try {
    if (names.length === 0) sessionStorage.removeItem(nameKey(sessionId));
    else sessionStorage.setItem(nameKey(sessionId), JSON.stringify(names));
  } catch {
    // Without storage, lost files are not reported after a reload; uploads work the same.
  }
}
