import { MAX_GIVEN_GROUPS, roleSchema } from "@holdpoint/protocol";
import { DEFAULT_MAX_AGE_DAYS } from "@holdpoint/server";
import { z } from "zod";

const role = { role: roleSchema };
const text = z.string().min(1).max(256);

/** A rule that admits people by the issuer's claims about them, with a role. */
const admissionSchema = z.union([
  /** The issuer's own identifier of one person. */
  z.strictObject({ subject: text, ...role }),
  /** Counts only if the issuer declares the address verified. */
  z.strictObject({ email: text, ...role }),
  z.strictObject({ group: text, ...role }),
]);

/** The location of the secret: never in the config file itself, which is shown and copied. */
const secretSchema = z.union([
  z.strictObject({ file: z.string().min(1) }),
  z.strictObject({ env: z.string().regex(/^[A-Z_]\w*$/iu, "is not the name of a variable") }),
]);

const issuerSchema = z.strictObject({
  id: z
    .string()
    .regex(/^[\w.-]{1,64}$/u, "may contain only letters, digits, dots, underscores and hyphens")
    .describe("its short name in addresses. Default: its host; see [people.md](people.md)")
    .optional(),
  name: z
    .string()
    .trim()
    .min(1)
    .max(60)
    .describe("the label of the sign-in button. Default: its host")
    .optional(),
  issuer: z
    .url({ protocol: /^https?$/ })
    .describe("its https address, exactly as the issuer itself gives it"),
  clientId: text.describe("the gateway's client id at the issuer"),
  clientSecret: secretSchema
    .describe("the gateway's secret there, if it has one: `{ file }` or `{ env }`")
    .optional(),
  scopes: z
    .array(text.regex(/^\S+$/u, "has a space"))
    .max(16)
    .describe("scopes to request besides `openid`. Default: `profile` and `email`")
    .optional(),
  groupsClaim: text.describe("the claim that names groups. Default: `groups`").optional(),
  admit: z
    .array(admissionSchema)
    .max(1000)
    .describe("the people who can sign in, and their roles. Default: none")
    .optional(),
});

export const peopleConfigSchema = z.strictObject({
  issuers: z.array(issuerSchema).min(1).max(8),
  maxAgeDays: z
    .number()
    .positive()
    .max(180)
    .describe(`days until a person signs in again. Default: ${DEFAULT_MAX_AGE_DAYS}`)
    .optional(),
  newSessionsFor: z
    .array(
      z.strictObject({
        group: text.describe("a group that new sessions are given to. Default: none"),
        issuer: text.describe("its issuer, needed with several").optional(),
      }),
    )
    .max(MAX_GIVEN_GROUPS)
    .optional(),
});
export type PeopleConfig = z.infer<typeof peopleConfigSchema>;
