import { execFileSync } from "node:child_process";
import { join } from "node:path";

const STRICT = ["--strict", "--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes"];
const MODULES = ["--target", "esnext", "--module", "nodenext", "--allowImportingTsExtensions"];

/** Compiles files of a folder, including the types of their imports, with all checks. Throws when that fails. */
export function checkTypes(
  folder: string,
  files: readonly string[],
  more: readonly string[] = ["--types", ""],
): void {
  const tsc = join(process.cwd(), "node_modules/.bin/tsc");
  const flags = ["--noEmit", ...STRICT, ...MODULES, ...more];
  execFileSync(tsc, [...flags, ...files], { cwd: folder, stdio: "inherit" });
}
