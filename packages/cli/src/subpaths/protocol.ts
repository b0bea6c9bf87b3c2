export * from "@holdpoint/protocol";
