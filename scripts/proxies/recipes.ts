import { guideBlock } from "../guide-block.ts";

const GUIDE = "guides/devices.md";
const DOMAIN = "agents.example.org";
const GATEWAY = "127.0.0.1:4870";
/** As in the guide. */
const PATH = "/holdpoint";

/** The environment in which a recipe of the guide is tried. */
export interface Place {
  /** The proxy's port on this machine. */
  readonly port: number;
  /** Host and port of the gateway. */
  readonly gateway: string;
  readonly certFile: string;
  readonly keyFile: string;
}

export interface Recipe {
  readonly program: string;
  /** A name for a variant of the guide's text. */
  readonly variant?: string;
  /** The path of the public URL. */
  readonly path?: string;
  /** Arguments that make the program print its version. */
  readonly versionArgs: readonly string[];
  /**
   * The content of the config file: the guide's text, with the names of this place. Throws when the guide has another
   * text.
   */
  config(place: Place): string;
  /** Runs it in the foreground. */
  args(configFile: string, folder: string): readonly string[];
}

/** The guide's change for a path: the first keeps the path for the gateway, the second strips it. */
const LOCATION = ["location / {", `location ${PATH}/ {`] as const;
const UPSTREAM = [`proxy_pass http://${GATEWAY};`, `proxy_pass http://${GATEWAY}/;`] as const;

export const RECIPES: readonly Recipe[] = [
  nginx({}),
  nginx({ variant: `under ${PATH}`, path: PATH }, [LOCATION]),
  nginx({ variant: `under ${PATH}, which it takes off`, path: PATH }, [LOCATION, UPSTREAM]),
  caddy({}, "reverse_proxy"),
  caddy({ variant: `under ${PATH}`, path: PATH }, `handle ${PATH}/*`),
];

function nginx(
  which: Pick<Recipe, "path" | "variant">,
  changes: readonly (readonly [string, string])[] = [],
): Recipe {
  return {
    ...which,
    program: "nginx",
    versionArgs: ["-v"],
    config({ port, gateway, certFile, keyFile }) {
      const text = replaceAll(guideBlock(GUIDE, "proxy_pass"), [
        ...changes,
        ["listen 443 ssl", `listen 127.0.0.1:${port} ssl`],
        [`server_name ${DOMAIN}`, "server_name localhost"],
        [`/etc/ssl/${DOMAIN}.pem`, certFile],
        [`/etc/ssl/${DOMAIN}.key`, keyFile],
        [GATEWAY, gateway],
      ]);
      const own = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
        (name) => `${name}_temp_path ${name};`,
      );
      return `daemon off; master_process off; pid nginx.pid; error_log stderr;
events {}
http { access_log off; ${own.join(" ")}
${text}
}`;
    },
    args: (configFile, folder) => ["-p", folder, "-e", "stderr", "-c", configFile],
  };
}

function caddy(which: Pick<Recipe, "path" | "variant">, words: string): Recipe {
  return {
    ...which,
    program: "caddy",
    versionArgs: ["version"],
    config({ port, gateway, certFile, keyFile }) {
      const text = replaceAll(guideBlock(GUIDE, words), [
        [
          `${which.path === undefined ? DOMAIN : "example.org"} {`,
          `https://localhost:${port} {\n  tls ${certFile} ${keyFile}`,
        ],
        [GATEWAY, gateway],
      ]);
      return `{\n  admin off\n  auto_https disable_redirects\n}\n${text}`;
    },
    args: (configFile) => ["run", "--adapter", "caddyfile", "--config", configFile],
  };
}

function replaceAll(text: string, changes: readonly (readonly [string, string])[]): string {
  return changes.reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`The recipe does not say ${from} any more.`);
    return changed.replace(from, to);
  }, text);
}
