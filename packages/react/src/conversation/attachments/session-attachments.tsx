import type { Attachment } from "@holdpoint/protocol";
import {
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
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
import { isDrawn, readAttachment, toImageUrl } from "./attachment-data.ts";
import { AttachmentRefusals } from "./attachment-refusals.tsx";
import { PickFiles } from "./pick-files.tsx";
import type { PickedFile } from "./read-file.ts";
import { uploadsOf, type OpenUpload, type UploadsState } from "./session-uploads.ts";
import { usePickedFiles } from "./use-picked-files.ts";

interface SessionAttachmentsProps {
  readonly sessionId: string;
  /** The attachments of the draft, which the gateway has. */
  readonly attachments: readonly Attachment[];
  readonly inputRef: RefObject<HTMLTextAreaElement | null>;
  /** True while the message is being sent. */
  readonly blocked: boolean;
  /** Called with whether some files are still being uploaded. Until they are, nothing is sent. */
  readonly onOpen: (open: boolean) => void;
}

/**
 * The files next to the field of a session. Each is uploaded at once, and its id is kept in the draft, so that it is
 * still there after a reload.
 */
export function SessionAttachments(props: SessionAttachmentsProps): ReactNode {
  const { sessionId, attachments, inputRef, blocked, onOpen } = props;
  const uploads = useUploads(sessionId);
  const { refusals, forget, pick } = usePickedFiles();
  const images = useImages(sessionId, attachments);
  const say = useWords();
  const { open, chips, lost } = uploads;
  const hasOpen = open.length > 0;
  // In a layout effect, so that it takes effect before anyone can press Send.
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
    void pick(files, { count: all.length, bytes }, (file) => uploads.add(file));
    inputRef.current?.focus();
  };
  const onRemove = (key: string): void => {
    uploads.remove(key);
    inputRef.current?.focus();
  };
  return (
    <>
      <AttachmentRefusals
        refusals={[
          ...lost.map((name) =>
            say("{name} was not uploaded before the page was reloaded. Choose it again.", {
              name,
            }),
          ),
          ...refusals,
        ]}
        onClose={() => {
          forget();
          uploads.forgetLost();
        }}
      />
      <AttachmentChips chips={[...ready, ...chips]} onRemove={onRemove} blocked={blocked} />
      <WaysOut troubles={uploads.troubles} />
      <PickFiles inputRef={inputRef} blocked={blocked} onFiles={onFiles} />
    </>
  );
}

/** The remedies for failed uploads, each listed once. */
function WaysOut({ troubles }: { readonly troubles: readonly TroubleWords[] }): ReactNode {
  const ways = new Set(troubles.map(({ wayOut }) => wayOut));
  if (ways.size === 0) return null;
  return <p className="hp-hint">{[...ways].join(" ")}</p>;
}

interface Uploads extends UploadsState {
  readonly chips: readonly AttachmentChip[];
  readonly troubles: readonly TroubleWords[];
  readonly add: (file: PickedFile) => void;
  readonly forgetLost: () => void;
  /** Removes a file, whether its upload is unfinished or it is in the draft. */
  readonly remove: (key: string) => void;
}

function useUploads(sessionId: string): Uploads {
  const context = useHoldpoint();
  const say = useWords();
  const uploads = uploadsOf(context, sessionId);
  const state = useSyncExternalStore(uploads.subscribe, uploads.getState);
  const troubles = useTroubles(state.open);
  const chips = state.open.map(({ key, file, error, triesAgain }) => ({
    key,
    name: file.name,
    bytes: file.bytes,
    imageUrl: isDrawn(file) ? toImageUrl(file) : undefined,
    state: triesAgain
      ? say("Waiting for the gateway…")
      : (troubles.get(key)?.title ?? say("Uploading…")),
    onRetry: error === undefined ? undefined : () => uploads.retry(key),
  }));
  return {
    ...state,
    chips,
    troubles: [...troubles.values()],
    add: (file) => uploads.add(file),
    forgetLost: () => uploads.forgetLost(),
    remove: (key) => {
      uploads.remove(key);
      changeDraft(context, sessionId, (all) => all.filter((one) => one.attachmentId !== key));
    },
  };
}

/** The trouble with each file, by key. Announces each trouble once. */
function useTroubles(open: readonly OpenUpload[]): ReadonlyMap<string, TroubleWords> {
  const say = useWords();
  const announce = useAnnounce();
  const announced = useRef(new Set<string>());
  const troubles = new Map<string, TroubleWords>();
  for (const { key, error, triesAgain } of open) {
    if (error === undefined) continue;
    const { title, wayOut } = toCallTroubleWords(error, say.language);
    const again = say("This is retried automatically.");
    troubles.set(key, { title, wayOut: triesAgain ? again : wayOut });
  }
  useEffect(() => {
    for (const { key, file, triesAgain } of open) {
      const trouble = troubles.get(key);
      const once = `${key} ${triesAgain}`;
      if (trouble === undefined || announced.current.has(once)) continue;
      announced.current.add(once);
      announce(`${file.name}: ${trouble.title}. ${trouble.wayOut}`);
    }
  });
  return troubles;
}

/** Changes the draft of a session even if it is no longer shown: a finished upload belongs to its draft. */
function changeDraft(
  { drafts, draftChanges }: HoldpointContext,
  sessionId: string,
  change: (attachments: readonly Attachment[]) => readonly Attachment[],
): void {
  const key = attachmentsKey(sessionId);
  drafts.write(key, toAttachmentsText(change(parseAttachments(drafts.read(key)))));
  draftChanges.dispatchEvent(new Event(key));
}

/** The addresses of the images that are drawn, by attachment id. Images still being read are missing. */
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
        // Shown by its name only.
        () => undefined,
      );
    }
    return () => void (isGone = true);
  }, [transport, sessionId, attachments]);
  return images;
}
