/** A path without quotes, comments and characters that git expands. */
const PLAIN_PATH = /^[\w.-][\w./-]*$|^\/[\w./-]*$/;

/** An address that names no helper, such as `ext::`. */
const PLAIN_ADDRESS = /^(?!-)(?!.*::)[\w.@:/~+%?=&,-]*$/;
/** The accepted values of some settings. */
const VALUES: Readonly<Record<string, RegExp>> = {
  "core.hookspath": PLAIN_PATH,
  "core.worktree": PLAIN_PATH,
  "remote.url": PLAIN_ADDRESS,
  "remote.pushurl": PLAIN_ADDRESS,
  "submodule.url": PLAIN_ADDRESS,
};

/**
 * Settings that run no program in commands treated as reading, such as `git status`; a star matches any name. A setting
 * that is not listed counts as one that does.
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

/** The parts of a git settings file that matter for commands that only read. */
export interface GitSettings {
  /** The first setting that is not known to be harmless, and so could run a program. */
  readonly program?: string;
  /** Folders of hooks. */
  readonly hooks: readonly string[];
  readonly worktree?: string;
}

/** Parses a settings file from its bytes, as git does. One byte is one character. */
export function readGitSettings(bytes: Buffer): GitSettings {
  const text = bytes.toString("latin1");
  // A value continued on the next line could hide a section from this parser.
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
  /** In lower case, without the middle part that a person chooses, such as a branch's name. */
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

/** Trims like git: other blanks are part of a value. */
function trimBlanks(text: string): string {
  let [start, end] = [0, text.length];
  while (" \t\r".includes(text.charAt(start)) && start < end) start += 1;
  while (" \t\r".includes(text.charAt(end - 1)) && start < end) end -= 1;
  return text.slice(start, end);
}
