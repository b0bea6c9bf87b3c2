import { MAX_GIVEN_GROUPS, roleSchema } from "@holdpoint/protocol";
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
  /** The issuer's address, exactly as the issuer itself gives it. */
  issuer: z.url({ protocol: /^https?$/ }),
  /** The issuer's id in this gateway's URLs. Default: the issuer's host. */
  id: z
    .string()
    .regex(/^[\w.-]{1,64}$/u, "has other signs than letters, digits, dots and hyphens")
    .optional(),
  clientId: text,
  clientSecret: secretSchema.optional(),
  /** The name that people know. Default: the issuer's host. */
  name: z.string().trim().min(1).max(60).optional(),
  /** Scopes requested besides `openid`. Default: `profile` and `email`. */
  scopes: z.array(text.regex(/^\S+$/u, "has a space")).max(16).optional(),
  /** The claim with a person's groups. Default: `groups`. */
  groupsClaim: text.optional(),
  /** Default: no one. */
  admit: z.array(admissionSchema).max(1000).optional(),
});

export const peopleConfigSchema = z.strictObject({
  issuers: z.array(issuerSchema).min(1).max(8),
  /**
   * Groups that see sessions besides the person who starts them. With several issuers each entry names one. Default:
   * none.
   */
  newSessionsFor: z
    .array(z.strictObject({ group: text, issuer: text.optional() }))
    .max(MAX_GIVEN_GROUPS)
    .optional(),
  /** Days after which a person signs in again, on any of their devices. Default: 7. */
  maxAgeDays: z.number().positive().max(180).optional(),
});
export type PeopleConfig = z.infer<typeof peopleConfigSchema>;
