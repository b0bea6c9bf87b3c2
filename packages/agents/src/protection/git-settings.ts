const PATHS: ReadonlySet<string> = new Set(["core.hookspath", "core.worktree"]);
/** A path without quotes, comments and signs that git expands. */
const PLAIN_PATH = /^[\w.-][\w./-]*$|^\/[\w./-]*$/;

/**
 * Settings that run no program in commands which are taken for reading, such as `git status`; a star stands for any name.
 * What is not in this list counts as one that does.
 */
const HARMLESS: readonly RegExp[] = [
  "core: repositoryformatversion filemode bare logallrefupdates ignorecase precomposeunicode symlinks worktree",
  "core: autocrlf safecrlf eol whitespace untrackedcache fsmonitor preloadindex trustctime checkstat abbrev",
  "core: hidedotfiles protecthfs protectntfs longpaths fscache quotepath compression loosecompression",
  "core: bigfilethreshold sparsecheckout sparsecheckoutcone commitgraph multipackindex excludesfile hookspath",
  "core: commentchar editor sharedrepository",
  "remote: url pushurl fetch push tagopt prune prunetags mirror promisor partialclonefilter proxy pushdefault",
  "remote: gh-resolved skipdefaultupdate skipfetchall followremotehead",
  "submodule: active url branch fetchrecursesubmodules recurse ignore shallow",
  "user: name email signingkey useconfigonly",
  "diff: algorithm renames renamelimit colormoved mnemonicprefix noprefix context indentheuristic ignoresubmodules submodule",
  "merge: ff conflictstyle renames renamelimit",
  "log: date decorate abbrevcommit follow",
  "commit: gpgsign template verbose cleanup",
  "tag: gpgsign sort",
  "extensions: worktreeconfig partialclone",
  "advice branch color column fetch gc index init lfs maintenance pack pull push rebase rerere status: *",
].flatMap((line) => {
  const [sections = "", keys = ""] = line.split(": ");
  return new RegExp(`^(?:${anyOf(sections)})\\.(?:${anyOf(keys)})$`);
});

function anyOf(names: string): string {
  return names.replaceAll("*", ".*").split(" ").join("|");
}

/** What a file of git's settings says, as far as it matters to who only reads. */
export interface GitSettings {
  /** What could run a program: the first setting that is not known to be harmless. */
  readonly program?: string;
  /** Folders of hooks. */
  readonly hooks: readonly string[];
  readonly worktree?: string;
}

/** Reads the text of such a file. */
export function readGitSettings(text: string): GitSettings {
  // A value that goes on in the next line could hide a section from a reader of lines.
  if (/\\\r?\n|\0/.test(text)) return { program: "a setting of several lines", hooks: [] };
  const settings = listSettings(text);
  const program = settings.find((setting) => !isHarmless(setting))?.name;
  const valuesOf = (wanted: string) =>
    settings.filter(({ name }) => name === wanted).map(({ value }) => value);
  const worktree = valuesOf("core.worktree").at(-1);
  return {
    hooks: valuesOf("core.hookspath"),
    ...(program !== undefined && { program: `its setting ${program}` }),
    ...(worktree !== undefined && { worktree }),
  };
}

interface Setting {
  /** In small letters, without the middle part that a person chooses, such as a branch's name. */
  readonly name: string;
  readonly value: string;
}

function isHarmless({ name, value }: Setting): boolean {
  if (PATHS.has(name) && !PLAIN_PATH.test(value)) return false;
  return HARMLESS.some((pattern) => pattern.test(name));
}

function listSettings(text: string): Setting[] {
  let section = "";
  return text
    .replace(/^\uFEFF/, "")
    .split("\n")
    .flatMap((line) => {
      const [head = "", name] = /^\s*\[\s*([\w-]+)\s*(?:"(?:[^"\\]|\\.)*"\s*)?\]/.exec(line) ?? [];
      section = name?.toLowerCase() ?? section;
      const rest = line.slice(head.length).trim();
      if (/^(?:$|[#;])/.test(rest)) return [];
      const [, key = "", value = ""] = /^([A-Za-z][\w-]*)\s*(?:=\s*(.*))?$/.exec(rest) ?? [];
      return [{ name: `${section}.${key.toLowerCase()}`, value }];
    });
}
