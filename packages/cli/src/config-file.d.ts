import type { Tool } from "@holdpoint/engine";
import { z } from "zod";
/** What `holdpoint.config.ts`, `.js`, `.mjs` or `.json` may hold. */
export declare const configSchema: z.ZodObject<
  {
    port: z.ZodOptional<z.ZodInt>;
    host: z.ZodOptional<z.ZodString>;
    open: z.ZodOptional<z.ZodBoolean>;
    dataDir: z.ZodOptional<z.ZodString>;
    cwd: z.ZodOptional<z.ZodString>;
    agent: z.ZodOptional<z.ZodString>;
    publicUrl: z.ZodOptional<z.ZodURL>;
    embedOrigins: z.ZodOptional<z.ZodArray<z.ZodString>>;
    holdTimeoutMs: z.ZodOptional<z.ZodInt>;
    onDisconnect: z.ZodOptional<
      z.ZodEnum<{
        deny: "deny";
        wait: "wait";
      }>
    >;
    grants: z.ZodOptional<
      z.ZodObject<
        {
          alwaysDays: z.ZodOptional<z.ZodNumber>;
        },
        z.core.$strict
      >
    >;
    toolHoldLimitMs: z.ZodOptional<z.ZodInt>;
    tools: z.ZodOptional<z.ZodArray<z.ZodPipe<z.ZodUnknown, z.ZodTransform<Tool, unknown>>>>;
    claude: z.ZodOptional<
      z.ZodObject<
        {
          settingSources: z.ZodOptional<
            z.ZodArray<
              z.ZodEnum<{
                local: "local";
                project: "project";
                user: "user";
              }>
            >
          >;
        },
        z.core.$strict
      >
    >;
  },
  z.core.$strict
>;
export type ConfigFile = z.infer<typeof configSchema>;
/**
 * Reads the config file: the named one, or the first `holdpoint.config.*` in the directory; without one there is no
 * path, and `file` is empty. Throws `UsageError` naming the file and what is wrong with it.
 */
export declare function loadConfigFile(
  directory: string,
  named?: string,
): Promise<{
  readonly path?: string;
  readonly file: ConfigFile;
}>;
/** Reads the config file at this path; another version reads it again. Throws as `loadConfigFile` does. */
export declare function readConfigFile(path: string, version?: number): Promise<ConfigFile>;
