import { z } from "zod";

/** An id in a path. */
export const idParameter = z.string().min(1).max(128);

export const sessionParams = z.object({ sessionId: idParameter });
export const interactionParams = z.object({ interactionId: idParameter });
