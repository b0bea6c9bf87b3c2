/** A path without quotes, comments and signs that git expands. */
const PLAIN_PATH = /^[\w.-][\w./-]*$|^\/[\w./-]*$/;

/** No address that names a helper, such as `ext::`. */
const PLAIN_ADDRESS = /^(?!-)(?!.*::)[\w.@:/~+%?=&,-]*$/;
/** What the values of some settings must look like. */
const VALUES: Readonly<Record<string, RegExp>> = {
  "core.hookspath": PLAIN_PATH,
  "core.worktree": PLAIN_PATH,
  "remote.url": PLAIN_ADDRESS,
  "remote.pushurl": PLAIN_ADDRESS,
  "submodule.url": PLAIN_ADDRESS,
};

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
  "remote: url pushurl fetch push tagopt prune prunetags mirror pushdefault",
  "remote: gh-resolved skipdefaultupdate skipfetchall followremotehead",
  "submodule: active url branch fetchrecursesubmodules ignore shallow",
  "user: name email signingkey useconfigonly",
  "diff: algorithm renames renamelimit colormoved mnemonicprefix noprefix context indentheuristic ignoresubmodules",
  "merge: ff conflictstyle renames renamelimit",
  "log: date decorate abbrevcommit follow",
  "commit: gpgsign template verbose cleanup",
  "tag: gpgsign sort",
  "extensions: worktreeconfig",
  "fetch: prune prunetags all parallel output writecommitgraph",
  "index: version threads skiphash",
  "init: defaultbranch",
  "lfs: repositoryformatversion locksverify access",
  "pack: threads windowmemory packsizelimit",
  "pull: rebase ff",
  "push: default autosetupremote followtags",
  "rebase: autostash autosquash updaterefs",
  "rerere: enabled autoupdate",
  "status: short branch showuntrackedfiles relativepaths renames",
  "advice branch color column: *",
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

/** Reads such a file: its bytes, as git does. A letter is one byte here. */
export function readGitSettings(bytes: Buffer): GitSettings {
  const text = bytes.toString("latin1");
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
  const isPlain = VALUES[name]?.test(value) ?? true;
  return isPlain && HARMLESS.some((pattern) => pattern.test(name));
}

function listSettings(text: string): Setting[] {
  let section = "";
  return text
    .replace(/^\u00EF\u00BB\u00BF/, "")
    .split("\n")
    .flatMap((line) => {
      const [head = "", name] =
        /^[ \t]*\[[ \t]*([\w-]+)[ \t]*(?:"(?:[^"\\]|\\.)*"[ \t]*)?\]/.exec(line) ?? [];
      section = name?.toLowerCase() ?? section;
      const rest = trimBlanks(line.slice(head.length));
      if (/^(?:$|[#;])/.test(rest)) return [];
      const [, key = "", value = ""] = /^([A-Za-z][\w-]*)[ \t]*(?:=[ \t]*(.*))?$/s.exec(rest) ?? [];
      return [{ name: `${section}.${key.toLowerCase()}`, value }];
    });
}

/** As git does: what else counts as a blank elsewhere is a part of a value. */
function trimBlanks(text: string): string {
  let [start, end] = [0, text.length];
  while (" \t\r".includes(text.charAt(start)) && start < end) start += 1;
  while (" \t\r".includes(text.charAt(end - 1)) && start < end) end -= 1;
  return text.slice(start, end);
}
