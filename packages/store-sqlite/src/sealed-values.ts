import { randomBytes } from "node:crypto";

import type { Batch, InteractionWrite, StoredInteraction } from "@holdpoint/engine";

import { seal, unseal } from "./seal.ts";

const KEY_BYTES = 32;

/** The sensitive values of a row, and the result of its call, which may repeat them. */
type SealedParts = Required<Pick<StoredInteraction, "secretValues">> &
  Pick<StoredInteraction, "keptResult">;

/** A row as stored, in which the values of sensitive fields are encrypted. */
export interface SealedRow extends Omit<StoredInteraction, "secretValues"> {
  /** `KEY_ID.TEXT`, where the text is base64. */
  readonly sealed?: string;
}

/** The storage of the keys. */
export interface ValueKeys {
  /** Keys that were not erased. */
  readonly ids: ReadonlySet<string>;
  /** Returns the id for a new key. It contains no dot. */
  idFor(key: Buffer): string;
  add(id: string, key: Buffer): void;
  /** Returns `undefined` for an erased key. */
  read(id: string): Buffer | undefined;
  end(id: string): void;
}

/** A batch whose sensitive values are encrypted. */
export interface SealedBatch {
  readonly batch: Batch;
  /**
   * Writes the new keys to disk. Only needed when another process writes the batch: call it before that, and `keep`
   * after the commit. Throws when the disk fails.
   */
  readonly addKeys: () => void;
  /** Call after the batch is written and before its transaction is committed. Throws when the disk fails. */
  readonly keep: () => void;
  /** Call when the transaction fails after that. Never throws. */
  readonly undo: () => void;
}

/**
 * Encrypts the sensitive values of each response with its own key. The write that drops the values also erases
 * the key, so that copies of them in the database's log or in a backup become unreadable.
 *
 * The order on disk is key, response, erasure of the key, delivery. A process killed between the last two leaves a
 * response without its values, and it is read without them.
 */
export class SealedValues {
  readonly #keys: ValueKeys;
  /** Keys of undelivered responses, by interaction. */
  readonly #keyOf = new Map<string, string>();

  constructor(keys: ValueKeys) {
    this.#keys = keys;
  }

  /** Encrypts the values of the batch. Writes nothing. */
  seal(batch: Batch): SealedBatch {
    const { interactions = [] } = batch;
    // With several writes of one interaction, the last one counts.
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

  /** Returns the row with its values, or without them when their key was erased. */
  open({ sealed, ...row }: SealedRow): StoredInteraction {
    if (sealed === undefined) return row;
    const [keyId = "", text = ""] = sealed.split(".");
    const key = this.#keys.read(keyId);
    const values = key && unseal(key, Buffer.from(text, "base64"));
    return values ? { ...row, ...(JSON.parse(values.toString()) as SealedParts) } : row;
  }

  /** Call with all rows that have an undelivered response. All other keys are erased. */
  resume(rows: readonly SealedRow[]): void {
    this.#keyOf.clear();
    for (const { sealed, interaction } of rows) {
      const [keyId] = sealed?.split(".") ?? [];
      if (keyId !== undefined) this.#keyOf.set(interaction.interactionId, keyId);
    }
    const used = new Set(this.#keyOf.values());
    for (const keyId of this.#keys.ids) if (!used.has(keyId)) this.#keys.end(keyId);
  }

  /** True when there are no values that a deleted session could leave behind. */
  get isEmpty(): boolean {
    return this.#keyOf.size === 0;
  }

  /** Erases the keys of deleted interactions. */
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
    const sealed = seal(key, Buffer.from(plain)).toString("base64");
    return { keyId, key, text: `${keyId}.${sealed}` };
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
        // The next start erases it, since no row refers to it.
      }
    }
  }
}

interface Sealing {
  readonly keyId: string;
  readonly key: Buffer;
  /** The key's id and the encrypted text. */
  readonly text: string;
}
