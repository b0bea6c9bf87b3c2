export { toKey } from "@holdpoint/engine";
