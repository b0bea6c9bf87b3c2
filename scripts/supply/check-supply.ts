import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { findSbomFaults, type Sbom } from "./create-sbom.ts";
import { closureOf, findUnpinned, type Lock, readLock } from "./read-lockfile.ts";

const MOST_PACKAGES = 40;
const LICENSES: ReadonlySet<string> = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "ISC",
  "MIT",
]);

/**
 * Finds differences between the dependencies installed in an otherwise empty folder and the lists in the package's own
 * files.
 */
export function findSupplyFaults(folder: string, published: string): string[] {
  const lock = readLock(join(folder, "node_modules/.package-lock.json"));
  const installed = Object.keys(lock);
  const sbomPath = join(published, "sbom.cdx.json");
  const sbom = existsSync(sbomPath)
    ? (JSON.parse(readFileSync(sbomPath, "utf8")) as Sbom)
    : undefined;
  return [
    ...(installed.length <= MOST_PACKAGES
      ? []
      : [`${installed.length} packages are installed, and ${MOST_PACKAGES} may be`]),
    ...findInstalledFaults(folder, lock),
    ...findUnpinned(readLock("package-lock.json")),
    ...(sbom
      ? findSbomFaults(sbom).map((fault) => `The bill of materials is wrong: ${fault}`)
      : ["There is no sbom.cdx.json"]),
    ...(sbom ? findUnlisted(lock, sbom) : []),
  ];
}

function findInstalledFaults(folder: string, lock: Lock): string[] {
  return Object.entries(lock).flatMap(([path, { hasInstallScript }]) => {
    const { license } = JSON.parse(readFileSync(join(folder, path, "package.json"), "utf8")) as {
      license?: unknown;
    };
    const isFree = typeof license === "string" && LICENSES.has(license);
    return [
      ...(hasInstallScript ? [`${path} runs a script when it is installed`] : []),
      ...(isFree ? [] : [`${path} has the license ${JSON.stringify(license)}`]),
    ];
  });
}

/** Compares names: the folder was installed from the ranges, which may give newer versions than the lockfile. */
function findUnlisted(lock: Lock, { metadata, components }: Sbom): string[] {
  const listed = new Set([metadata.component, ...components].map(({ name }) => name));
  return Object.keys(lock)
    .map((path) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length))
    .filter((name) => !listed.has(name))
    .map((name) => `${name} is not in the bill of materials`);
}

/** The dependencies of the published package, and the packages bundled into it. */
export function readPublished(): ReturnType<typeof closureOf> {
  const lock = readLock("package-lock.json");
  return closureOf(
    lock,
    Object.keys(lock).filter((path) => /^packages\/[^/]+$/.test(path)),
  );
}
