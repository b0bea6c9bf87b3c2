import type { Attachment } from "@holdpoint/protocol";
import {
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type ReactNode,
  type RefObject,
} from "react";

import {
  attachmentsKey,
  parseAttachments,
  toAttachmentsText,
} from "../../hooks/draft-attachments.ts";
import { useHoldpoint, type HoldpointContext } from "../../hooks/provider.tsx";
import { toCallTroubleWords, type TroubleWords } from "../../hooks/trouble-words.ts";
import { useAnnounce } from "../../parts/announcer.tsx";
import { useWords } from "../../words/use-words.ts";
import { AttachmentChips, type AttachmentChip } from "./attachment-chips.tsx";
import { isDrawn, keepAttachment, readAttachment, toImageUrl } from "./attachment-data.ts";
import { AttachmentRefusals } from "./attachment-refusals.tsx";
import { PickFiles } from "./pick-files.tsx";
import type { PickedFile } from "./read-file.ts";
import { usePickedFiles } from "./use-picked-files.ts";

interface SessionAttachmentsProps {
  readonly sessionId: string;
  /** Those of the draft, which the gateway has. */
  readonly attachments: readonly Attachment[];
  readonly inputRef: RefObject<HTMLTextAreaElement | null>;
  /** While the message is sent. */
  readonly blocked: boolean;
  /** Told whether there are files that the gateway has not got yet: without them nothing is sent. */
  readonly onOpen: (open: boolean) => void;
}

/**
 * The files beside the field of a session. Each is uploaded at once and kept in the draft by its id, so that it is there after
 * a reload.
 */
export function SessionAttachments(props: SessionAttachmentsProps): ReactNode {
  const { sessionId, attachments, inputRef, blocked, onOpen } = props;
  const uploads = useUploads(sessionId);
  const { refusals, forget, pick } = usePickedFiles();
  const images = useImages(sessionId, attachments);
  const { open, chips } = uploads;
  const hasOpen = open.length > 0;
  // Before anybody can press Send.
  useLayoutEffect(() => {
    onOpen(hasOpen);
    return () => onOpen(false);
  }, [hasOpen, onOpen]);
  const ready = attachments.map((one) => ({
    ...one,
    key: one.attachmentId,
    imageUrl: images.get(one.attachmentId),
  }));
  const onFiles = (files: readonly File[]): void => {
    const all = [...attachments, ...open.map(({ file }) => file)];
    const bytes = all.reduce((sum, one) => sum + one.bytes, 0);
    void pick(files, { count: all.length, bytes }, (file) => void uploads.add(file));
    inputRef.current?.focus();
  };
  const onRemove = (key: string): void => {
    uploads.remove(key);
    inputRef.current?.focus();
  };
  return (
    <>
      <AttachmentRefusals refusals={refusals} onClose={forget} />
      <AttachmentChips chips={[...ready, ...chips]} onRemove={onRemove} blocked={blocked} />
      <WaysOut uploads={open} />
      <PickFiles inputRef={inputRef} blocked={blocked} onFiles={onFiles} />
    </>
  );
}

/** What to do about files that did not reach the gateway, each way once. */
function WaysOut({ uploads }: { readonly uploads: readonly OpenUpload[] }): ReactNode {
  const ways = new Set(uploads.flatMap(({ trouble }) => (trouble ? [trouble.wayOut] : [])));
  if (ways.size === 0) return null;
  return <p className="hp-hint">{[...ways].join(" ")}</p>;
}

interface OpenUpload {
  readonly key: string;
  readonly file: PickedFile;
  /** Why it failed. */
  readonly trouble?: TroubleWords;
}

interface Uploads {
  readonly open: readonly OpenUpload[];
  readonly chips: readonly AttachmentChip[];
  readonly add: (file: PickedFile) => Promise<void>;
  /** Leaves out what is open, or what the draft has. */
  readonly remove: (key: string) => void;
}

function useUploads(sessionId: string): Uploads {
  const context = useHoldpoint();
  const { transport } = context;
  const say = useWords();
  const announce = useAnnounce();
  const [open, setOpen] = useState<readonly OpenUpload[]>([]);
  const removed = useRef(new Set<string>());
  const counter = useRef(0);
  const drop = (key: string): void => setOpen((all) => all.filter((one) => one.key !== key));

  const upload = async (key: string, file: PickedFile): Promise<void> => {
    setOpen((all) => [...all.filter((one) => one.key !== key), { key, file }]);
    try {
      const { name, data } = file;
      const attachment = await transport.uploadAttachment(sessionId, { name, data });
      if (removed.current.has(key)) return;
      keepAttachment(transport, sessionId, { ...attachment, data });
      changeDraft(context, sessionId, (all) => [...all, attachment]);
      drop(key);
    } catch (error: unknown) {
      const trouble = toCallTroubleWords(error, say.language);
      announce(`${file.name}: ${trouble.title}. ${trouble.wayOut}`);
      setOpen((all) => all.map((one) => (one.key === key ? { ...one, trouble } : one)));
    }
  };
  const add = (file: PickedFile): Promise<void> => {
    counter.current += 1;
    return upload(`open-${counter.current}`, file);
  };
  const remove = (key: string): void => {
    removed.current.add(key);
    drop(key);
    changeDraft(context, sessionId, (all) => all.filter((one) => one.attachmentId !== key));
  };
  const chips = open.map(({ key, file, trouble }) => ({
    key,
    name: file.name,
    bytes: file.bytes,
    imageUrl: isDrawn(file) ? toImageUrl(file) : undefined,
    state: trouble?.title ?? say("Uploading…"),
    onRetry: trouble === undefined ? undefined : () => void upload(key, file),
  }));
  return { open, chips, add, remove };
}

/** Also when the session is not shown any more: an upload that has ended belongs to its draft. */
function changeDraft(
  { drafts, draftChanges }: HoldpointContext,
  sessionId: string,
  change: (attachments: readonly Attachment[]) => readonly Attachment[],
): void {
  const key = attachmentsKey(sessionId);
  drafts.write(key, toAttachmentsText(change(parseAttachments(drafts.read(key)))));
  draftChanges.dispatchEvent(new Event(key));
}

/** The addresses of those that are drawn, once they are read. */
function useImages(
  sessionId: string,
  attachments: readonly Attachment[],
): ReadonlyMap<string, string> {
  const { transport } = useHoldpoint();
  const [images, setImages] = useState<ReadonlyMap<string, string>>(new Map());
  useEffect(() => {
    let isGone = false;
    for (const attachment of attachments.filter(isDrawn)) {
      readAttachment(transport, sessionId, attachment).then(
        (read) => {
          const url = toImageUrl(read);
          if (isGone || url === undefined) return;
          setImages((all) => new Map(all).set(attachment.attachmentId, url));
        },
        // Without its picture it has its name.
        () => undefined,
      );
    }
    return () => void (isGone = true);
  }, [transport, sessionId, attachments]);
  return images;
}
