import { z } from "zod";

const secret = z.string().min(16).describe("the secret for signing");

export const notifyConfigSchema = z.strictObject({
  pushServices: z
    .array(z.string().regex(/^(?:\*\.)?[\w.-]+(?::\d{1,5})?$/u, "is not a host"))
    .describe("additional hosts of push services, such as `push.example.org` or `localhost:8443`")
    .optional(),
  contact: z
    .string()
    .regex(/^(?:mailto:[^\s@]+@\S+|https:\/\/\S+)$/u, "is not an address")
    .describe("a contact for push services")
    .optional(),
  webhooks: z
    .array(
      z.strictObject({
        url: z.url({ protocol: /^https?$/ }).describe("an address that receives requests"),
        secret,
        about: z.enum(["all", "approvals"]).describe("`all` or `approvals`").optional(),
        groups: z
          .array(z.string().min(1).max(256))
          .min(1)
          .max(64)
          .describe("only requests that one of these groups can answer now")
          .optional(),
      }),
    )
    .max(8)
    .optional(),
});

export const callbacksConfigSchema = z
  .array(
    z.strictObject({
      host: z
        .string()
        .regex(/^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/iu, "is not a host")
        .describe("a host that programs may use in the callback of an ask"),
      secret,
      private: z
        .boolean()
        .describe("whether the host may resolve to addresses of this machine and its networks")
        .optional(),
    }),
  )
  .max(32);
