import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { type PushService, startPushService } from "@holdpoint/notify/testing";
import { createCertificate } from "@holdpoint/server/testing";

import type { StartOptions } from "./gateway-process.ts";

export interface PushScene extends AsyncDisposable {
  readonly service: PushService;
  /** Options for a gateway that knows the push service and trusts its certificate. */
  readonly options: Required<Pick<StartOptions, "args" | "dataDir" | "env">>;
}

/**
 * A push service at https://127.0.0.1, and the options a gateway needs for it. `rest` is added to the gateway's
 * config.
 */
export async function openPushScene(notify: object = {}, rest: object = {}): Promise<PushScene> {
  const folder = await mkdtemp(join(tmpdir(), "holdpoint-push-"));
  const certificate = createCertificate({ hosts: ["127.0.0.1"] });
  const service = await startPushService(certificate);
  const authority = join(folder, "authority.pem");
  const config = join(folder, "own.json");
  await writeFile(authority, certificate.cert);
  const settings = { notify: { pushServices: [service.host], ...notify }, ...rest };
  await writeFile(config, JSON.stringify(settings), { mode: 0o600 });
  return {
    service,
    options: {
      args: ["--config", config],
      dataDir: join(folder, "data"),
      env: { NODE_EXTRA_CA_CERTS: authority },
    },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
