import {
  ATTACHMENT_LIMITS,
  checkAttachment,
  toAttachmentName,
  type AttachmentFacts,
  type AttachmentProblem,
} from "@holdpoint/protocol";

/** A chosen file that can be sent. */
export interface PickedFile extends AttachmentFacts {
  readonly name: string;
  readonly bytes: number;
  readonly data: string;
}

export type ReadFile =
  | { readonly status: "read"; readonly file: PickedFile }
  | { readonly status: "refused"; readonly problem: AttachmentProblem }
  | { readonly status: "unreadable" };

/** Reads a file, unless it has more than `bytesLeft` bytes. Folders cannot be read. */
export async function readFile(file: File, bytesLeft: number): Promise<ReadFile> {
  if (file.size > Math.min(bytesLeft, ATTACHMENT_LIMITS.messageBytes)) {
    return { status: "refused", problem: "too_large" };
  }
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const check = checkAttachment(bytes);
    if ("problem" in check) return { status: "refused", problem: check.problem };
    const data = await toBase64(file);
    const name = toAttachmentName(file.name);
    return { status: "read", file: { name, bytes: bytes.length, data, ...check.facts } };
  } catch {
    return { status: "unreadable" };
  }
}

function toBase64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => {
      const url = reader.result;
      if (typeof url === "string") resolve(url.slice(url.indexOf(",") + 1));
    });
    reader.addEventListener("error", () => reject(reader.error ?? new Error("It was not read.")));
    reader.readAsDataURL(file);
  });
}
