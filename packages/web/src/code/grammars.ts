import c from "shiki/langs/c.mjs";
import css from "shiki/langs/css.mjs";
import diff from "shiki/langs/diff.mjs";
import go from "shiki/langs/go.mjs";
import java from "shiki/langs/java.mjs";
import json from "shiki/langs/json.mjs";
import python from "shiki/langs/python.mjs";
import rust from "shiki/langs/rust.mjs";
import shellscript from "shiki/langs/shellscript.mjs";
import sql from "shiki/langs/sql.mjs";
import tsx from "shiki/langs/tsx.mjs";
import xml from "shiki/langs/xml.mjs";
import yaml from "shiki/langs/yaml.mjs";

/** The languages with colours. */
export const GRAMMARS = {
  c,
  css,
  diff,
  go,
  java,
  json,
  python,
  rust,
  shellscript,
  sql,
  tsx,
  xml,
  yaml,
} as const;

export type Grammar = keyof typeof GRAMMARS;

/** Other common names of a grammar. */
const OTHER_NAMES: ReadonlyMap<string, Grammar> = new Map([
  ...["ts", "typescript", "js", "javascript", "jsx", "mjs", "cjs", "mts"].map(
    (name) => [name, "tsx"] as const,
  ),
  ...["sh", "bash", "zsh", "shell", "console"].map((name) => [name, "shellscript"] as const),
  ...["html", "svg", "vue"].map((name) => [name, "xml"] as const),
  ...["jsonc", "json5"].map((name) => [name, "json"] as const),
  ["py", "python"],
  ["rs", "rust"],
  ["golang", "go"],
  ["yml", "yaml"],
  ["h", "c"],
  ["scss", "css"],
  ["patch", "diff"],
]);

/** The grammar of a language; `undefined` if it has no colours. */
export function toGrammar(language: string): Grammar | undefined {
  const name = language.toLowerCase();
  return Object.hasOwn(GRAMMARS, name) ? (name as Grammar) : OTHER_NAMES.get(name);
}
