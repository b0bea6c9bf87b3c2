/** Numbers of Linux system calls: `asm/unistd_64.h` and `asm-generic/unistd.h`. */
const NUMBERS = {
  x64: { audit: 0xc000_003e, prctl: 157, seccomp: 317, write: 18, sync: [74, 75] },
  arm64: { audit: 0xc000_00b7, prctl: 167, seccomp: 277, write: 68, sync: [82, 83] },
} as const;

/** `write`: the disk has become read-only (`EROFS`). `sync`: it accepts data, and fails to store it (`EIO`). */
export type DiskFault = "write" | "sync";

const ERRNO = { write: 30, sync: 5 } as const;

/**
 * Intercepts these system calls of the command (seccomp_unotify(2)): they pass unchanged until a file exists, and
 * return an error from then on. Written in Perl, which every Linux has and which can make system calls. Dies with the
 * command, and the command with it.
 */
const SCRIPT = `
my ($trigger, $audit, $prctl, $seccomp, $errno, $calls, @command) = @ARGV;
my @filter = ([0x20, 0, 0, 4], [0x15, 1, 0, $audit], [0x06, 0, 0, 0x7fff0000], [0x20, 0, 0, 0]);
push @filter, [0x15, 0, 1, $_], [0x06, 0, 0, 0x7fc00000] for split /,/, $calls;
push @filter, [0x06, 0, 0, 0x7fff0000];
my $code = join "", map { pack "S C C L", @$_ } @filter;
my $program = pack "S x![P] P", scalar @filter, $code;
syscall($prctl + 0, 38, 1, 0, 0, 0) == 0 or die "no_new_privs: $!";
my $fd = syscall($seccomp + 0, 1, 8, $program);
$fd >= 0 or die "seccomp: $!";
open my $listener, "+<&=", $fd or die "listener: $!";
$SIG{CHLD} = sub { wait; exit($? >> 8) };
my $child = fork;
if ($child == 0) { syscall($prctl + 0, 1, 9, 0, 0, 0); exec @command; }
while (1) {
  my $call = "\\0" x 80;
  ioctl($listener, 0xC0502100, $call) or next;
  my ($id) = unpack "Q", $call;
  my $answer = -e $trigger ? pack("Q q l L", $id, 0, -$errno, 0) : pack("Q q l L", $id, 0, 0, 1);
  ioctl $listener, 0xC0182101, $answer;
}
`;

/** The command line with a disk that has the fault once there is a file at `trigger`. For Linux. */
export function underFault(
  { fault, trigger }: { readonly fault: DiskFault; readonly trigger: string },
  command: readonly string[],
): readonly string[] {
  const { audit, prctl, seccomp, write, sync } =
    NUMBERS[process.arch === "arm64" ? "arm64" : "x64"];
  const calls = fault === "write" ? [write, ...sync] : sync;
  const options = [audit, prctl, seccomp, ERRNO[fault], calls.join(",")].map(String);
  return ["perl", "-e", SCRIPT, trigger, ...options, ...command];
}
