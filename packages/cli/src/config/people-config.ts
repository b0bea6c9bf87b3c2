import { MAX_GIVEN_GROUPS, roleSchema } from "@holdpoint/protocol";
import { z } from "zod";

const role = { role: roleSchema };
const text = z.string().min(1).max(256);

/** Who may come in, by what the issuer says of them, and what they may do. */
const admissionSchema = z.union([
  /** The issuer's own name for one person. */
  z.strictObject({ subject: text, ...role }),
  /** Counts only where the issuer says that the address is verified. */
  z.strictObject({ email: text, ...role }),
  z.strictObject({ group: text, ...role }),
]);

/** Where the secret is: never in the config file itself, which is shown and copied. */
const secretSchema = z.union([
  z.strictObject({ file: z.string().min(1) }),
  z.strictObject({ env: z.string().regex(/^[A-Z_]\w*$/iu, "is not the name of a variable") }),
]);

const issuerSchema = z.strictObject({
  /** Its address, exactly as it calls itself. */
  issuer: z.url({ protocol: /^https?$/ }),
  /** What it has in the addresses of this gateway. Default: the issuer's host. */
  id: z
    .string()
    .regex(/^[\w.-]{1,64}$/u, "has other signs than letters, digits, dots and hyphens")
    .optional(),
  clientId: text,
  clientSecret: secretSchema.optional(),
  /** As people know it. Default: the issuer's host. */
  name: z.string().trim().min(1).max(60).optional(),
  /** Asked for beside `openid`. Default: `profile` and `email`. */
  scopes: z.array(text.regex(/^\S+$/u, "has a space")).max(16).optional(),
  /** The claim with a person's groups. Default: `groups`. */
  groupsClaim: text.optional(),
  /** Default: nobody. */
  admit: z.array(admissionSchema).max(1000).optional(),
});

export const peopleConfigSchema = z.strictObject({
  issuers: z.array(issuerSchema).min(1).max(8),
  /** Groups that see sessions beside the person who starts them. With several issuers each entry names one. Default: none. */
  newSessionsFor: z
    .array(z.strictObject({ group: text, issuer: text.optional() }))
    .max(MAX_GIVEN_GROUPS)
    .optional(),
  /** Days after which a person signs in again, on any of their devices. Default 7. */
  maxAgeDays: z.number().positive().max(180).optional(),
});
export type PeopleConfig = z.infer<typeof peopleConfigSchema>;
