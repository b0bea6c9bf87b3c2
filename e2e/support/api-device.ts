import {
  createBrowserTransport,
  createDeviceKey,
  createDeviceSigner,
  exchangeLaunchCode,
  type SignedInDevice,
  type Transport,
} from "@holdpoint/client";

/** Signs a person's device in without a browser, as the page does it. */
export async function signInDevice(
  launchUrl: string,
  label = "Test device",
): Promise<SignedInDevice> {
  const { origin, hash } = new URL(launchUrl);
  const fragment = new URLSearchParams(hash.slice(1));
  return exchangeLaunchCode({
    baseUrl: origin,
    code: fragment.get("code") ?? "",
    gateway: fragment.get("gateway") ?? undefined,
    label,
    key: await createDeviceKey(),
  });
}

/** What a person's page can ask for, for tests of what no program may. */
export async function openApiDevice(launchUrl: string): Promise<Transport> {
  const baseUrl = new URL(launchUrl).origin;
  const device = await signInDevice(launchUrl);
  const token = createDeviceSigner({ baseUrl, device });
  return createBrowserTransport({ baseUrl, token, clientId: "test-device" });
}
