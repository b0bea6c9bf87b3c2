import { type Flag, toColumns } from "../flags.ts";

export const ASK_FLAGS: readonly Flag[] = [
  { flag: "--approve TEXT", help: "ask for a yes or no; prints yes or no" },
  {
    flag: "--detail TEXT",
    help: "more details, up to 200 kB; @FILE reads them from a file, @- from standard input",
  },
  { flag: "--choose A,B,C", help: "ask to choose one; prints it" },
  {
    flag: "--form FILE",
    help: "ask to fill in the form of this JSON Schema; prints the values as JSON",
  },
  { flag: "--prompt TEXT", help: "the question for --choose or --form" },
  { flag: "--label NAME", help: "the name of the requester (default: script)" },
  {
    flag: "--timeout TIME",
    help: "how long it can be answered, such as 90s, 10m or 2h (default: no limit)",
  },
  {
    flag: "--key NAME",
    help: "a later ask with the same key continues this one, even if its script was stopped",
  },
  {
    flag: "--callback URL",
    help: "gets one signed POST when the ask is over; the gateway's config lists the allowed hosts",
  },
  { flag: "--json", help: "print the result as one line of JSON" },
  {
    flag: "--url URL",
    help: "a gateway elsewhere, with an agent's token in HOLDPOINT_AGENT_TOKEN [HOLDPOINT_URL]",
  },
  {
    flag: "--data-dir DIR",
    help: "the data folder of the gateway on this machine (default: the platform's data folder) [HOLDPOINT_DATA_DIR]",
  },
  { flag: "-h, --help", help: "print this text" },
];

export const ASK_HELP = `Usage: holdpoint ask --approve TEXT [--detail TEXT] [flags]
       holdpoint ask --choose A,B,C [--prompt TEXT] [flags]
       holdpoint ask --form FILE [--prompt TEXT] [flags]

Asks a person, and waits for the answer.

${toColumns(ASK_FLAGS.map(({ flag, help }) => [flag, help]))}
The answer is printed on standard output. Standard error shows where to answer, comments, and problems.
Exit code: 0 yes or answered, 1 no, 2 wrong usage or refused, 3 not answered in time or withdrawn, 4 the gateway cannot be
reached. Ctrl+C withdraws the ask. If the gateway stops meanwhile, the command waits until it is back.

On this machine neither URL nor token is needed: the first ask gets a token that can only ask, and keeps it in the data folder.
`;
