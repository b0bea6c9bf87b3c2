import { z } from "zod";

/** An opaque id; never derived from its content, never parsed. */
export const idSchema = z.string().min(1).max(128);
/** An instant: ISO 8601 in UTC with milliseconds. */
export const instantSchema = z.iso.datetime({ precision: 3 });
/** A JSON object whose members the protocol does not know. */
export const jsonObjectSchema = z.record(z.string(), z.unknown());
/** Position of an event in its session's log, from 1, without gaps. */
export const seqSchema = z.int().min(1);
/** Chosen by a client; the same key gets the same result. */
export const idempotencyKeySchema = z.string().min(8).max(128);
