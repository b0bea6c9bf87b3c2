/** How the ids of files begin that people upload for messages. */
export const FILE_ID = "att_";
/** How the ids of pictures in results begin. No message carries them: they stay as long as their session. */
export const PICTURE_ID = "pic_";

/** By name and content. */
export async function toAttachmentId(
  kind: typeof FILE_ID | typeof PICTURE_ID,
  name: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<string> {
  // No name has the character 0.
  const head = new TextEncoder().encode(`${name}\0`);
  const whole = new Uint8Array(head.length + bytes.length);
  whole.set(head);
  whole.set(bytes, head.length);
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", whole));
  return kind + Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
