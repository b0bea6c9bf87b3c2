/** Texts of the page Devices and programs. */
export const DEVICES_TEXTS = ["Language", "Of this page, on this device."] as const;
