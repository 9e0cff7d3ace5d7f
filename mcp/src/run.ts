import { AuthenticationError, ConnectionError, Countersign, CountersignError } from "@countersign/client";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { buildServer } from "./build-server.ts";
import { findFolder } from "./files-folder.ts";
import { refuseKey } from "./refuse-key.ts";
import { readSettings, UsageError } from "./settings.ts";
import type { Agent } from "./tool.ts";
import { VERSION } from "./version.ts";

const USAGE = `countersign-mcp ${VERSION}: Countersign for AI agents, which prepare envelopes that people review and send.

  countersign-mcp [--files DIR] [--allow-document-text]

  --files DIR             the agent may upload the files below this folder; links are not followed
  --allow-document-text   the agent may read the text of the drafts that it created

It speaks the Model Context Protocol on standard input and output: an MCP client starts it.
Settings: COUNTERSIGN_URL (http://localhost:3000), COUNTERSIGN_API_KEY. The key has drafts:write, and of other scopes at most
customers:read and compliance:read. Nothing is stored.
`;

/** Serves an MCP client in this process until it closes standard input. 0: done. 1: the service refused. 2: wrong arguments or key. */
export async function runHere(): Promise<number> {
  const args = process.argv.slice(2);
  const log = (line: string) => void process.stderr.write(`${line}\n`);
  if (args.includes("--help")) {
    process.stdout.write(USAGE);
    return 0;
  }
  try {
    const agent = await readAgent(args);
    const { me } = agent;
    log(`countersign-mcp: ready for ${me.org_name}, with the key "${me.partner_name}".`);
    await serve(agent, log);
    return 0;
  } catch (error) {
    if (error instanceof UsageError || isArgumentError(error)) {
      log(`countersign-mcp: ${(error as Error).message}`);
      return 2;
    }
    if (!(error instanceof CountersignError)) throw error;
    log(`countersign-mcp: ${refusalAtStart(error)}`);
    return 1;
  }
}

/** Before anything is served. */
function refusalAtStart(error: CountersignError): string {
  if (error instanceof ConnectionError) return `The service does not answer (${error.message}). Is COUNTERSIGN_URL its address?`;
  if (error instanceof AuthenticationError) return `The service does not accept COUNTERSIGN_API_KEY (${error.message}).`;
  return `The service refused to say what the key is (${error.message}).`;
}

const isArgumentError = (error: unknown): boolean =>
  error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");

/** Throws for wrong arguments, and for a key that could do more than prepare. */
async function readAgent(args: readonly string[]): Promise<Agent> {
  const given = readSettings(args, process.env);
  const settings = { ...given, files: given.files === null ? null : await findFolder(given.files) };
  // An agent waits seconds, not a minute.
  const client = new Countersign({ baseUrl: settings.url, apiKey: settings.apiKey, onRateLimit: "throw" });
  const me = await client.apiKeys.me();
  refuseKey(me);
  return { client, me, settings };
}

/** Until the client closes standard input, or the process is told to end. */
function serve(agent: Agent, log: (line: string) => void): Promise<void> {
  return new Promise((resolve) => {
    const server = serveStdio(() => buildServer(agent, log), { onerror: ({ message }) => log(`countersign-mcp: ${message}`) });
    const end = () => void server.close().then(resolve);
    process.stdin.once("close", end);
    process.once("SIGINT", end);
    process.once("SIGTERM", end);
  });
}
