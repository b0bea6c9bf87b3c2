import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

import type { Rolldown } from "tsdown";

/** Writes the licences of all bundled packages next to the bundle, as the licences require. */
export function thirdPartyNotices(): Rolldown.Plugin {
  return {
    name: "third-party-notices",
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((file) =>
        file.type === "chunk" ? file.moduleIds : [],
      );
      const packages = new Set(modules.map(toPackage).filter((folder) => folder !== undefined));
      if (packages.size === 0) return;
      const source = [...packages].toSorted().map(toNotice).join("\n\n");
      this.emitFile({ type: "asset", fileName: "THIRD-PARTY-NOTICES.txt", source });
    },
  };
}

function toPackage(module: string): string | undefined {
  return /^(\/.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(module)?.[1];
}

function toNotice(folder: string): string {
  const { name, version, license } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  ) as Record<"name" | "version" | "license", string>;
  const texts = globSync("{LICENSE,LICENCE,license,licence}*", { cwd: folder }).map((file) =>
    readFileSync(join(folder, file), "utf8").trim(),
  );
  return [`${name} ${version} (${license})`, ...texts].join("\n\n");
}
