export * from "@holdpoint/engine";
