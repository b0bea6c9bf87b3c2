export * from "@holdpoint/client";
