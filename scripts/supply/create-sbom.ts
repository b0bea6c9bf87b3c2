import { createHash } from "node:crypto";

import type { Locked } from "./read-lockfile.ts";

/** A bill of materials in CycloneDX 1.6, with the fields this project uses. */
export interface Sbom {
  readonly bomFormat: "CycloneDX";
  readonly specVersion: "1.6";
  readonly serialNumber: string;
  readonly version: 1;
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

interface Component {
  readonly type: "application" | "library";
  readonly "bom-ref": string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses: readonly (
    | { readonly license: { readonly id: string } }
    | { readonly expression: string }
  )[];
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
}

/**
 * The bill of a published package: itself, its dependencies and its bundled packages. The same packages give the same
 * text.
 */
export function createSbom(
  published: { readonly name: string; readonly version: string; readonly license: string },
  packages: readonly Locked[],
): Sbom {
  const main = toComponent("application", published);
  const components = unique(packages).map((locked) => ({
    ...toComponent("library", locked),
    ...hashesOf(locked),
  }));
  const refOf = new Map(packages.map((locked) => [locked.path, toPurl(locked)]));
  const needed = new Set(packages.flatMap(({ needs }) => needs));
  const direct = packages.filter(({ path }) => !needed.has(path)).map(toPurl);
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: `urn:uuid:${toUuid(components.map(({ purl }) => purl).join("\n"))}`,
    version: 1,
    metadata: { component: main },
    components,
    dependencies: [
      { ref: main["bom-ref"], dependsOn: [...new Set(direct)] },
      ...unique(packages).map((locked) => ({
        ref: toPurl(locked),
        dependsOn: [...new Set(locked.needs.map((path) => refOf.get(path) ?? path))],
      })),
    ],
  };
}

/** Requirements of CycloneDX 1.6 that this text violates. */
export function findSbomFaults(sbom: Sbom): string[] {
  const { bomFormat, specVersion, serialNumber, version, metadata, components } = sbom;
  const all = [metadata.component, ...components];
  const refs = new Set(all.map((component) => component["bom-ref"]));
  const faults = [
    ...(bomFormat === "CycloneDX" && specVersion === "1.6" && version === 1 ? [] : ["the header"]),
    ...(/^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(serialNumber)
      ? []
      : ["serialNumber"]),
    ...(refs.size === all.length ? [] : ["two components have one bom-ref"]),
    ...all.flatMap((component) =>
      component.name &&
      component.version &&
      /^pkg:npm\/.+@.+$/.test(component.purl) &&
      component.licenses.length > 0
        ? []
        : [`the component ${component.name}`],
    ),
    ...components.flatMap(({ name, hashes }) => (hashes?.length ? [] : [`the hash of ${name}`])),
  ];
  const links = sbom.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]);
  return [...faults, ...links.filter((ref) => !refs.has(ref)).map((ref) => `the reference ${ref}`)];
}

function unique(packages: readonly Locked[]): Locked[] {
  return [...new Map(packages.map((locked) => [toPurl(locked), locked])).values()];
}

function toComponent(
  type: Component["type"],
  {
    name,
    version,
    license = "",
  }: { readonly name: string; readonly version: string; readonly license?: string | undefined },
): Component {
  const purl = toPurl({ name, version });
  const isExpression = / (?:AND|OR|WITH) /.test(license);
  const licenses =
    license === "" ? [] : [isExpression ? { expression: license } : { license: { id: license } }];
  return { type, "bom-ref": purl, name, version, purl, licenses };
}

function toPurl({ name, version }: { readonly name: string; readonly version: string }): string {
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}

function hashesOf({ integrity }: Locked): Pick<Component, "hashes"> {
  const [, digest] = /^sha512-(.+)$/.exec(integrity ?? "") ?? [];
  if (digest === undefined) return {};
  return { hashes: [{ alg: "SHA-512", content: Buffer.from(digest, "base64").toString("hex") }] };
}

function toUuid(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}
