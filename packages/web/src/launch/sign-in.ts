import { createDeviceKey, exchangeLaunchCode, type SignedInDevice } from "@holdpoint/client";

import { pageUrl } from "../base-path.ts";
import type { DeviceVault } from "../device/device-vault.ts";
import type { Say } from "../words/use-words.ts";
import { createSwitching } from "./ask-to-switch.tsx";
import { toDeviceLabel } from "./device-label.ts";
import type { LaunchLink } from "./launch-link.ts";
import { maySwitch } from "./may-switch.ts";
import { SignInError } from "./sign-in-error.ts";

/**
 * Signs this browser in: creates its key, has the gateway prove its identity, exchanges the link's code, and stores the
 * credential. Asks before it replaces another person's sign-in. Rejects with `SignInError` if the browser cannot do that, without using up the code.
 */
export async function signIn(
  link: LaunchLink,
  vault: DeviceVault,
  say: Say,
): Promise<SignedInDevice> {
  // Not available on http pages of other machines.
  if (!isSecureContext) throw new SignInError("insecure");
  const before = await vault.read();
  // Checked first, so that refused storage does not use up the code.
  await vault.write(before).catch(() => {
    throw new SignInError("storage_blocked");
  });
  const device = await exchangeLaunchCode({
    ...link,
    baseUrl: pageUrl(),
    label: toDeviceLabel(navigator.userAgent, say),
    key: await createDeviceKey(),
  });
  if (before && !(await maySwitch(before, device, createSwitching(say)))) return before;
  await vault.write(device);
  return device;
}
