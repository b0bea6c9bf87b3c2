import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

import type { Batch, InteractionWrite, StoredInteraction } from "@holdpoint/engine";

const CIPHER = "aes-256-gcm";
const KEY_BYTES = 32;
/** Each key encrypts one text, so it needs no other. */
const NONCE = Buffer.alloc(12);
const TAG_BYTES = 16;

/** The sensitive values of a row, and the result of its call, which may repeat them. */
type SealedParts = Required<Pick<StoredInteraction, "secretValues">> &
  Pick<StoredInteraction, "keptResult">;

/** A row as it is written: what a person entered into sensitive fields is encrypted. */
export interface SealedRow extends Omit<StoredInteraction, "secretValues"> {
  /** `KEY_ID.TEXT`, the text in base64. */
  readonly sealed?: string;
}

/** Where the keys are. */
export interface ValueKeys {
  /** Keys that were not ended. */
  readonly ids: ReadonlySet<string>;
  /** What a new key will be called. Has no dot. */
  idFor(key: Buffer): string;
  add(id: string, key: Buffer): void;
  /** `undefined` for one that has ended. */
  read(id: string): Buffer | undefined;
  end(id: string): void;
}

/** A batch that holds no sensitive value any more. */
export interface SealedBatch {
  readonly batch: Batch;
  /**
   * Puts the new keys on the disk. Only where the batch is written by another process: then it is to be called before that, and
   * `keep` after the commit. Throws when the disk refuses.
   */
  readonly addKeys: () => void;
  /** To be called once the batch is written, before its transaction is committed. Throws when the disk refuses. */
  readonly keep: () => void;
  /** To be called when the transaction has failed after that. Never throws. */
  readonly undo: () => void;
}

/**
 * Encrypts the sensitive values of a response, each response under a key of its own. The key ends in the write that
 * drops the values: what the log of the database or a backup still holds of them can then be read by nobody.
 *
 * The order on the disk is key, response, end of the key, delivery. A process that is killed between the last two leaves a
 * response whose values are gone: it is read without them.
 */
export class SealedValues {
  readonly #keys: ValueKeys;
  /** Key by interaction, for responses that are not delivered. */
  readonly #keyOf = new Map<string, string>();

  constructor(keys: ValueKeys) {
    this.#keys = keys;
  }

  /** Replaces the values of the batch. Writes nothing. */
  seal(batch: Batch): SealedBatch {
    const { interactions = [] } = batch;
    // Of several writes of one interaction the last one counts.
    const written = new Map<string, Sealing | undefined>();
    const sealed = interactions.map((write): InteractionWrite => {
      const { secretValues, keptResult, ...row } = write.row;
      const sealing = secretValues && this.#encrypt(JSON.stringify({ secretValues, keptResult }));
      written.set(row.interaction.interactionId, sealing);
      return sealing ? { ...write, row: { ...row, sealed: sealing.text } as SealedRow } : write;
    });
    return {
      batch: { ...batch, interactions: sealed },
      addKeys: () => this.#addKeys(written),
      keep: () => this.#keep(written),
      undo: () => this.#undo(written),
    };
  }

  /** The row with its values; without them when their key has ended. */
  open({ sealed, ...row }: SealedRow): StoredInteraction {
    if (sealed === undefined) return row;
    const [keyId = "", text = ""] = sealed.split(".");
    const key = this.#keys.read(keyId);
    const values = key && decrypt(text, key);
    return values === undefined ? row : { ...row, ...(JSON.parse(values) as SealedParts) };
  }

  /** To be called with all rows that have a response which is not delivered: keys of others end. */
  resume(rows: readonly SealedRow[]): void {
    this.#keyOf.clear();
    for (const { sealed, interaction } of rows) {
      const [keyId] = sealed?.split(".") ?? [];
      if (keyId !== undefined) this.#keyOf.set(interaction.interactionId, keyId);
    }
    const used = new Set(this.#keyOf.values());
    for (const keyId of this.#keys.ids) if (!used.has(keyId)) this.#keys.end(keyId);
  }

  /** Whether there are values that a deleted session may have left behind. */
  get isEmpty(): boolean {
    return this.#keyOf.size === 0;
  }

  /** Interactions that are gone: their keys end. */
  forget(interactionIds: readonly string[]): void {
    for (const interactionId of interactionIds) {
      const keyId = this.#keyOf.get(interactionId);
      this.#keyOf.delete(interactionId);
      if (keyId !== undefined) this.#keys.end(keyId);
    }
  }

  #encrypt(plain: string): Sealing {
    const key = randomBytes(KEY_BYTES);
    const keyId = this.#keys.idFor(key);
    const cipher = createCipheriv(CIPHER, key, NONCE);
    const sealed = [cipher.update(plain, "utf8"), cipher.final(), cipher.getAuthTag()];
    return { keyId, key, text: `${keyId}.${Buffer.concat(sealed).toString("base64")}` };
  }

  #addKeys(written: ReadonlyMap<string, Sealing | undefined>): void {
    for (const sealing of written.values()) {
      if (sealing && !this.#keys.ids.has(sealing.keyId)) this.#keys.add(sealing.keyId, sealing.key);
    }
  }

  #keep(written: ReadonlyMap<string, Sealing | undefined>): void {
    this.#addKeys(written);
    for (const [interactionId, sealing] of written) {
      const before = this.#keyOf.get(interactionId);
      if (sealing) {
        this.#keyOf.set(interactionId, sealing.keyId);
      } else {
        this.#keyOf.delete(interactionId);
      }
      if (before !== undefined) this.#keys.end(before);
    }
  }

  #undo(written: ReadonlyMap<string, Sealing | undefined>): void {
    for (const [interactionId, sealing] of written) {
      if (!sealing) continue;
      if (this.#keyOf.get(interactionId) === sealing.keyId) this.#keyOf.delete(interactionId);
      try {
        this.#keys.end(sealing.keyId);
      } catch {
        // The next start ends it: no row names it.
      }
    }
  }
}

interface Sealing {
  readonly keyId: string;
  readonly key: Buffer;
  /** The key's id and what it encrypts. */
  readonly text: string;
}

/** `undefined` for a text that this key has not encrypted. */
function decrypt(text: string, key: Buffer): string | undefined {
  const sealed = Buffer.from(text, "base64");
  const decipher = createDecipheriv(CIPHER, key, NONCE, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([
      decipher.update(sealed.subarray(0, -TAG_BYTES)),
      decipher.final(),
    ]).toString("utf8");
  } catch {
    return undefined;
  }
}
