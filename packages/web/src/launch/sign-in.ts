import { createDeviceKey, exchangeLaunchCode, type SignedInDevice } from "@holdpoint/client";

import type { DeviceVault } from "../device/device-vault.ts";
import { pageUrl } from "../page-place.ts";
import type { Say } from "../words/use-words.ts";
import { toDeviceLabel } from "./device-label.ts";
import type { LaunchLink } from "./launch-link.ts";
import { SignInError } from "./sign-in-error.ts";

/**
 * Signs this browser in: makes its key, has the gateway prove itself, trades the code of the link, and keeps what came of
 * it. Rejects with `SignInError` where the browser cannot do that; then the code is not used up.
 */
export async function signIn(
  link: LaunchLink,
  vault: DeviceVault,
  say: Say,
): Promise<SignedInDevice> {
  // Absent on http pages of other machines.
  if (!isSecureContext) throw new SignInError("insecure");
  const before = await vault.read();
  // Storage that is refused must not cost the code.
  await vault.write(before).catch(() => {
    throw new SignInError("storage_blocked");
  });
  const device = await exchangeLaunchCode({
    ...link,
    baseUrl: pageUrl(),
    label: toDeviceLabel(navigator.userAgent, say),
    key: await createDeviceKey(),
  });
  await vault.write(device);
  return device;
}
