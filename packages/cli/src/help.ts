import { DEFAULT_PORT } from "./config/settings.ts";
import { USER_CONFIG } from "./trust/user-config.ts";

export const HELP = `holdpoint: the human-in-the-loop gateway for AI agents

Usage: holdpoint [start] [flags]
       holdpoint doctor [--data-dir DIR] [--store ADDRESS] [--config FILE] [--cwd DIR] [--agent NAME] [--isolate MODE] [--json]
       holdpoint check [--data-dir DIR] [--store ADDRESS] [--json]
       holdpoint backup FILE [--data-dir DIR] [--json]
       holdpoint restore FILE --data-dir DIR [--json]
       holdpoint prune [--dry-run [--days N] [--megabytes N]] [--data-dir DIR] [--json]
       holdpoint move --to ADDRESS | --from ADDRESS --to sqlite [--data-dir DIR]
       holdpoint audit export [--session ID] [--since TIME] [--until TIME] [--out FILE] [--data-dir DIR] [--store ADDRESS]
       holdpoint audit verify FILE [--head HASH] [--heads EARLIER_FILE]
       holdpoint link [--data-dir DIR] [--json]
       holdpoint pair [--data-dir DIR] [--config FILE] [--json]
       holdpoint adopt [claude] [codex] [--project] [--print | --undo] [--data-dir DIR]
       holdpoint agent-token --label NAME [--data-dir DIR] [--json]
       holdpoint ask --approve TEXT | --choose A,B | --form FILE [flags]; see holdpoint ask --help

start runs the gateway. doctor looks at all that it needs, with a gateway that runs or without: settings, data folder, disk,
database, agent hosts, parked sessions, clock, issuers, SDK and login, isolation, the variables that agents get, and tools. Each finding
is one line; a problem has a ! and says the way out, and makes the exit code 1. It changes nothing: tools are tried only
if you have trusted them, in a process that can write no file.
check looks through the whole database, beside a running gateway too: damage, gaps, and what is gone. Its exit code is 0 when
nothing is damaged or missing.
backup copies the database of a gateway that runs, or of none, into a new file; restore makes an empty data folder of it.
prune has the running gateway delete the sessions that \`retention\` in your config file names; --dry-run only says which.
move copies all that a gateway keeps from its data folder into an empty Postgres database, or back, and compares it there.
audit export writes what was asked, shown, answered and delivered, with the hash chain of each log, beside a running gateway too;
--since and --until choose the sessions that were at work in that time. audit verify needs neither gateway nor store: its exit code is
1 when a byte of the file was changed, or when a head (the last hash of an earlier export) is not in it. See guides/audit.md.
link makes the running gateway show another launch link in its own terminal, for a second
browser or when the first link has expired. pair makes it show a short code there, and a QR code if it
has an https address, for a phone or any other device; the code is entered at /pair. adopt lets agents that
you start in your own terminals ask you here as well: it writes hooks into the settings of Claude Code and Codex,
those of this user or, with --project, those of this directory, and tries them with the running gateway. --print only shows what
it would write; --undo takes the hooks out again. agent-token gets a token with which an agent that you start yourself can call the
gateway's tools over MCP, and prints how to connect that agent. ask asks a person from a script, and waits for the answer.

  --port N         port to listen on; 0 picks any free one (default ${DEFAULT_PORT})
  --host ADDRESS   address to listen on (default 127.0.0.1)
  --tls-cert FILE  serve https with this certificate, in PEM; with --tls-key FILE for its private key; read again when changed
  --public-url URL https address that people use, if it is not the one the gateway listens on
  --trust-proxy C  addresses or networks of the proxies in front of the gateway, such as 10.0.0.0/8; with commas
  --no-open        do not open the browser
  --data-dir DIR   where sessions and answers are kept (default: the platform's data folder)
  --store ADDRESS  keep them in a Postgres database, such as postgres://user@host/database; see guides/postgres.md
  --cluster-secret-file FILE  be one of several nodes on that database; the same file on each, see guides/nodes.md
  --node-address A where other nodes reach this one, HOST:PORT (default: on this machine, at any free port)
  --config FILE    load this config file and the folder tools beside it, as they are now, without asking
  --cwd DIR        directory that agents work in (default: this directory)
  --agent NAME     agent that is offered first: claude or demo
  --embed-origin O let pages of this origin embed the gateway, such as https://desk.example; may be repeated
  --isolate MODE   run agents where they cannot reach the data folder: namespace, or user:NAME (Linux)
  --max-idle-agents N  agents whose processes are kept between turns, each about 200 MB (default 4)
  --watch          when config file or tools change, or what they import by path, ask at once whether to load them
  --accept-loss    start with what is there, when a part of the history is gone; grants are forgotten then
  --log-level L    least level of the log on stderr: trace to fatal, or silent (default warn)
  --log-format F   json (default), or text for a person
  --otlp URL       send a span for each interaction, and figures, to this collector, over OTLP/HTTP
  --json           print one line of JSON when ready and nothing else
  --help           show this text
  --version        show the version

Each flag but --watch and --accept-loss has a variable: HOLDPOINT_PORT, HOLDPOINT_HOST, HOLDPOINT_TLS_CERT, HOLDPOINT_TLS_KEY,
HOLDPOINT_PUBLIC_URL, HOLDPOINT_TRUST_PROXY, HOLDPOINT_OPEN=0, HOLDPOINT_DATA_DIR, HOLDPOINT_STORE, HOLDPOINT_CONFIG, HOLDPOINT_CLUSTER_SECRET_FILE, HOLDPOINT_NODE_ADDRESS,
HOLDPOINT_CWD, HOLDPOINT_AGENT, HOLDPOINT_ISOLATE, HOLDPOINT_MAX_IDLE_AGENTS, HOLDPOINT_EMBED_ORIGINS (with commas), HOLDPOINT_LOG (the level), HOLDPOINT_LOG_FORMAT, HOLDPOINT_OTLP, HOLDPOINT_JSON=1. Flags win over variables,
variables over config files. There are also:

  HOLDPOINT_HOLD_TIMEOUT_MS  how long an interaction holds its agent, in milliseconds (default: without end)
  HOLDPOINT_TOKEN            a person's bearer token for programs; 32 characters or more
  HOLDPOINT_TOKEN_FILE       a file with that token which only you can read; - reads it from the standard input
  HOLDPOINT_CLUSTER_SECRET   the cluster secret itself, instead of its file

holdpoint.config.ts, .js, .mjs or .json and the files in tools, in this directory, are loaded once you have trusted them: here
in the terminal, or on the page. ${USER_CONFIG} holds your own settings, for every directory.
`;
