import {
  createBrowserTransport,
  createDeviceKey,
  createDeviceSigner,
  exchangeLaunchCode,
  type SignedInDevice,
  type Transport,
} from "@holdpoint/client";

/** Signs in a person's device without a browser, as the page does. */
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

/** A transport with the rights of a person's page, for tests of operations that no program may use. */
export async function openApiDevice(launchUrl: string): Promise<Transport> {
  const baseUrl = new URL(launchUrl).origin;
  const device = await signInDevice(launchUrl);
  const token = createDeviceSigner({ baseUrl, device });
  return createBrowserTransport({ baseUrl, token, clientId: "test-device" });
}
