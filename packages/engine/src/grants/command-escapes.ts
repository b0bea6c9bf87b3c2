import { type Saying, saying } from "@holdpoint/protocol";

/** Programs whose arguments are another command, or a program text. */
const WRAPPERS: ReadonlySet<string> = new Set(
  // Shells, and what a shell does by itself.
  (
    "sh ash bash dash zsh ksh mksh fish csh tcsh rbash pwsh powershell cmd busybox toybox " +
    ". source eval exec command builtin alias unalias trap set export declare typeset local readonly enable hash env " +
    // Run a command in another way.
    "sudo doas su runuser pkexec xargs parallel nohup nice ionice timeout time watch setsid setpriv stdbuf unbuffer " +
    "chroot unshare nsenter script strace ltrace gdb lldb perf valgrind expect at batch crontab flock systemd-run " +
    "start-stop-daemon daemonize screen tmux entr direnv dotenv chpst runcon firejail bwrap proot fakeroot catchsegv " +
    "npx bunx pnpx dlx ld.so taskset numactl prlimit caffeinate osascript open xdg-open run-parts ssh-agent dbus-run-session " +
    // Languages of which any text is a program.
    "awk gawk mawk nawk sed ed ex vi vim nvim view emacs m4 dc bc tclsh wish lua guile gnuplot sqlite3 psql mysql"
  ).split(" "),
);

interface Escapes {
  /** Short options, one letter each; also when they are joined with others or with their value. */
  readonly short?: string;
  /** Long options without their dashes; also when they are cut short, or with one dash. */
  readonly long?: string;
  /** Words that are commands of the program, or of old syntax. */
  readonly words?: string;
  /** The first word is a bundle of short options, also without a dash. */
  readonly bundled?: true;
}

/** By program: what makes it run, load or write something that no other argument names. */
const ESCAPES: Readonly<Record<string, Escapes>> = {
  tar: {
    bundled: true,
    short: "IF",
    long: "checkpoint-action checkpoint to-command use-compress-program info-script new-volume-script rsh-command rmt-command",
  },
  git: {
    short: "cO",
    long:
      "receive-pack upload-pack exec config-env exec-path paginate git-dir work-tree namespace open-files-in-pager " +
      "ext-diff textconv extcmd tool template upload-archive remote output no-index separate-git-dir",
    words:
      "config alias submodule filter-branch bisect difftool mergetool daemon shell hook instaweb web--browse var credential " +
      "fast-import archive upload-pack receive-pack remote-ext help",
  },
  make: {
    short: "fCIE",
    long: "file makefile directory include-dir eval assume-old assume-new what-if",
  },
  npm: {
    short: "Cgcw",
    long:
      "script-shell prefix userconfig globalconfig node-options shell call package git editor viewer browser " +
      "registry workspace init-module cafile onload-script",
    words: "exec x config set explore edit init create link",
  },
  node: {
    short: "eprcC",
    long:
      "eval print require import loader experimental-loader env-file inspect-brk inspect run input-type test-reporter conditions " +
      "openssl-config icu-data-dir build-snapshot entry-url watch",
  },
  python: { short: "ciX", long: "command" },
  perl: { short: "eEIMmidn" },
  ruby: { short: "eIrnp" },
  php: { short: "rRBEFdcz" },
  deno: { long: "eval import-map config", words: "eval repl" },
  bun: { short: "erc", long: "eval preload require config", words: "x" },
  find: {
    long: "exec execdir ok okdir delete fprint fprint0 fprintf fls files0-from",
  },
  fd: { short: "xX", long: "exec exec-batch" },
  rg: { long: "pre hostname-bin" },
  ssh: { short: "oFSWLRDJEIwQ", long: "option" },
  scp: { short: "oFSJD" },
  sftp: { short: "oFSJbD" },
  rsync: {
    short: "eM",
    long: "rsh rsync-path files-from include-from exclude-from filter daemon config write-batch read-batch only-write-batch password-file log-file",
  },
  curl: {
    short: "KoOTDcFdJ",
    long:
      "config output remote-name upload-file dump-header cookie-jar form data data-binary data-raw data-urlencode json " +
      "engine proxy netrc-file trace trace-ascii stderr output-dir remote-header-name remote-name-all etag-save hsts alt-svc " +
      "libcurl unix-socket abstract-unix-socket",
  },
  wget: {
    short: "OPioae",
    long:
      "use-askpass output-document directory-prefix input-file config execute post-file body-file output-file append-output " +
      "save-cookies warc-file",
  },
  docker: {
    short: "vH",
    long: "volume mount privileged device host context config entrypoint pid",
  },
  kubectl: { long: "kubeconfig overrides", words: "exec plugin edit debug" },
  cargo: { short: "CZ", long: "config manifest-path", words: "install" },
  go: { short: "C", long: "exec toolexec overlay modfile vettool" },
  sort: { short: "oT", long: "output compress-program temporary-directory files0-from" },
  zip: { short: "TP", long: "unzip-command test" },
  less: { short: "oOkKtT", long: "log-file lesskey-file" },
  man: { short: "PHC", long: "pager html config-file" },
};

/** Other names of the same programs. */
const SAME_AS: Readonly<Record<string, string>> = {
  gtar: "tar",
  bsdtar: "tar",
  gmake: "make",
  bmake: "make",
  pnpm: "npm",
  yarn: "npm",
  nodejs: "node",
  tsx: "node",
  pypy: "python",
  gfind: "find",
  fdfind: "fd",
  podman: "docker",
  gsort: "sort",
};

/**
 * Why a program with these words may do something else than the words say, or `undefined`. A rule that allows covers no
 * such command, whatever its pattern.
 */
export function escapeOf(words: readonly string[]): Saying | undefined {
  const [first = "", ...rest] = words;
  const name = programOf(first);
  if (namesOf(first).some((known) => WRAPPERS.has(known))) {
    return saying("runs_another", { program: name });
  }
  const program = SAME_AS[name] ?? name;
  const escapes = Object.hasOwn(ESCAPES, program) ? ESCAPES[program] : undefined;
  const found = escapes && rest.find((word, index) => isEscape(escapes, word, index));
  if (found !== undefined) return saying("runs_more", { word: found, program: name });
  return undefined;
}

/** The name of a program without its path and its version: `python` for `/usr/bin/python3.12`. */
export function programOf(word: string): string {
  const [name = "", plain] = namesOf(word);
  return plain ?? name;
}

/** The name of a program without its path, and also without its version. */
function namesOf(word: string): readonly string[] {
  const name = word.slice(word.lastIndexOf("/") + 1).toLowerCase();
  const plain = name.replace(/\.(?:exe|cmd|bat)$/u, "");
  const bare = plain.replace(/-?\d+(?:\.\d+)*$/u, "");
  return bare === "" ? [plain] : [plain, bare];
}

function isEscape(
  { short = "", long = "", words = "", bundled }: Escapes,
  word: string,
  index: number,
): boolean {
  if (bundled && index === 0 && hasLetterOf(word, short)) return true;
  if (word.startsWith("-")) {
    const option = word.replace(/^--?/u, "").replace(/=.*$/su, "");
    const isLong = option.length > 1 && listOf(long).some((name) => isCutShort(option, name));
    if (isLong || word.startsWith("--")) return isLong;
    return hasLetterOf(option, short);
  }
  return listOf(words).includes(word);
}

/** Programs take the beginning of a long option for the whole of it. */
function isCutShort(option: string, name: string): boolean {
  return name.startsWith(option) || option.startsWith(name);
}

function hasLetterOf(word: string, letters: string): boolean {
  return word.split("").some((letter) => letters.includes(letter));
}

function listOf(names: string): readonly string[] {
  return names === "" ? [] : names.split(" ");
}
