export * from "@holdpoint/client/direct";
