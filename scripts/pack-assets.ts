import { globSync, readFileSync, writeFileSync } from "node:fs";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

/** Puts each script and style of the folder beside itself, compressed as well as can be: a gateway then need not, at each start. */
export function packAssets(folder: string): void {
  for (const file of globSync(`${folder}/*.{js,css}`)) {
    const bytes = readFileSync(file);
    writeFileSync(`${file}.br`, brotliCompressSync(bytes));
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }));
  }
}
