import { globSync, readFileSync, writeFileSync } from "node:fs";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

/**
 * Adds a copy of each script and style, compressed as much as possible, so that a gateway need not compress them at
 * each start.
 */
export function packAssets(folder: string): void {
  for (const file of globSync(`${folder}/*.{js,css}`)) {
    const bytes = readFileSync(file);
    writeFileSync(`${file}.br`, brotliCompressSync(bytes));
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }));
  }
}
