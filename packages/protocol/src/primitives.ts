import { z } from "zod";

/** An opaque id. It is never derived from content and never parsed. */
export const idSchema = z.string().min(1).max(128);
/** A time in ISO 8601 format, in UTC with milliseconds. */
export const instantSchema = z.iso.datetime({ precision: 3 });
/** A JSON object whose members are unknown to the protocol. */
export const jsonObjectSchema = z.record(z.string(), z.unknown());
/** The position of an event in its session's log, starting at 1, without gaps. */
export const seqSchema = z.int().min(1);
/** Chosen by a client. The same key gets the same result. */
export const idempotencyKeySchema = z.string().min(8).max(128);
