import { z } from "zod";

export const retentionConfigSchema = z.strictObject({
  days: z
    .number()
    .min(1)
    .max(36_500)
    .describe("sessions without any change for this many days are deleted. Default: none")
    .optional(),
  sessionMegabytes: z
    .number()
    .min(1)
    .describe("sessions larger than this are deleted a day after their last change. Default: none")
    .optional(),
});
