export * from "@holdpoint/react";
