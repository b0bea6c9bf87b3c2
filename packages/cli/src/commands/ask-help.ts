export const ASK_HELP = `holdpoint ask: asks a person, and waits for the answer

Usage: holdpoint ask --approve TEXT [--detail TEXT] [flags]
       holdpoint ask --choose A,B,C [--prompt TEXT] [flags]
       holdpoint ask --form FILE [--prompt TEXT] [flags]

  --approve TEXT   ask for a yes or no; prints yes or no
  --detail TEXT    more words about it, up to 200 kB; @FILE reads them from a file, @- from the standard input
  --choose A,B,C   ask to choose one; prints it
  --form FILE      ask to fill in the form of this JSON Schema; prints the values as JSON
  --prompt TEXT    what is asked with --choose or --form
  --label NAME     who asks (default: script)
  --timeout TIME   how long it can be answered, such as 90s, 10m or 2h (default: without end)
  --key NAME       the same key goes on with the same ask, whoever was stopped meanwhile
  --callback URL   is told by one signed POST that the ask is over; the gateway's config names the hosts that may be
  --json           print all that became of it as one line of JSON
  --url URL        a gateway elsewhere, with the token of an agent in HOLDPOINT_AGENT_TOKEN
  --data-dir DIR   the data folder of the gateway on this machine (default: the platform's data folder)

The answer is on the standard output; where to answer, what people write under it, and what goes wrong on the way, on the
standard error.
Exit code: 0 yes or answered, 1 no, 2 wrong usage or refused, 3 nobody in time or taken back, 4 the gateway is not there.
Ctrl+C takes the ask back. A gateway that stops while somebody waits is waited for.

Variables: HOLDPOINT_URL, HOLDPOINT_AGENT_TOKEN, HOLDPOINT_DATA_DIR. On this machine neither URL nor token is needed: the first
ask gets a token that can only ask, and keeps it in the data folder.
`;
