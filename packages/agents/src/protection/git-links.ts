const HEADER_BYTES = 12;
/** Offsets of an entry's mode, and of its flags after the times, numbers and SHA-1. */
const MODE_AT = 24;
const FLAGS_AT = 60;
const LINK = 0o160000;
const EXTENDED = 0x4000;

/**
 * The paths, as bytes, of the nested repositories in a repository's index, such as submodules. `undefined` for an index
 * in an unknown format.
 */
export function readGitLinks(index: Buffer): Buffer[] | undefined {
  if (index.length < HEADER_BYTES || index.toString("latin1", 0, 4) !== "DIRC") return undefined;
  const version = index.readUInt32BE(4);
  if (version < 2 || version > 4) return undefined;
  const links: Buffer[] = [];
  let at = HEADER_BYTES;
  let name = Buffer.alloc(0);
  for (let left = index.readUInt32BE(8); left > 0; left -= 1) {
    if (at + FLAGS_AT + 2 > index.length) return undefined;
    const isExtended = (index.readUInt16BE(at + FLAGS_AT) & EXTENDED) !== 0;
    let nameAt = at + FLAGS_AT + (isExtended ? 4 : 2);
    let kept = Buffer.alloc(0);
    if (version === 4) {
      const [dropped, next] = readOffset(index, nameAt);
      kept = name.subarray(0, Math.max(0, name.length - dropped));
      nameAt = next;
    }
    const end = index.indexOf(0, nameAt);
    if (end < 0) return undefined;
    name = Buffer.concat([kept, index.subarray(nameAt, end)]);
    if (index.readUInt32BE(at + MODE_AT) === LINK) links.push(name);
    at = version === 4 ? end + 1 : at + Math.ceil((end - at + 1) / 8) * 8;
  }
  return links;
}

/** A variable-length number, and where it ends. */
function readOffset(bytes: Buffer, from: number): readonly [value: number, end: number] {
  let at = from;
  let byte = bytes[at] ?? 0;
  let value = byte & 0x7f;
  while ((byte & 0x80) !== 0) {
    at += 1;
    byte = bytes[at] ?? 0;
    value = (value + 1) * 128 + (byte & 0x7f);
  }
  return [value, at + 1];
}
