import { type Command, exits, WrongUsage } from "./command.ts";
import { COMPARE_USAGE, runCompare } from "./compare/compare-command.ts";
import { inspectCommand } from "./inspect-command.ts";
import { statusCommand } from "./status-command.ts";
import { verifyCommand } from "./verify-command.ts";
import { version } from "./version.ts";
import { runWitness, WITNESS_USAGE } from "./witness/witness-command.ts";

const commands: readonly Command[] = [
  verifyCommand(() => new Date()),
  inspectCommand,
  statusCommand(() => new Date()),
  { name: "compare", summary: "look for two histories of one log in bundles or notes", usage: COMPARE_USAGE, run: runCompare },
  {
    name: "witness",
    summary: "cosign the checkpoints of a log; the only command that uses the network",
    usage: WITNESS_USAGE,
    run: (args, write) => runWitness(args, write),
  },
];

/** Returns the exit code. All output goes to `write`. Without the name of a command, the first one runs. */
export async function runCli(args: readonly string[], write: (text: string) => void): Promise<number> {
  const named = commands.find(({ name }) => name === args[0]);
  const command = named ?? (commands[0] as Command);
  const own = named === undefined ? args : args.slice(1);
  if (own.includes("--help") || own.includes("-h")) {
    write(named === undefined ? help() : named.usage);
    return exits.verified;
  }
  if (named === undefined && args[0] === "--version") {
    write(`${version}\n`);
    return exits.verified;
  }
  try {
    return await command.run(own, write);
  } catch (error) {
    if (!isUsageFault(error)) throw error;
    write(error instanceof WrongUsage ? `${error.message}\n\n${command.usage}` : `${error.message}\n`);
    return exits.wrong_usage;
  }
}

// A missing or unreadable file says nothing about the bundle.
const isUsageFault = (error: unknown): error is Error => error instanceof WrongUsage || (error instanceof Error && "syscall" in error);

function help(): string {
  const list = commands.map(({ name, summary }) => `  ${name.padEnd(10)} ${summary}`);
  const [first] = commands;
  return `countersign-verify ${version}: verifies evidence bundles of Countersign without network, server or database.

Commands:
${list.join("\n")}
countersign-verify <command> --help says more about each.

${first?.usage}`;
}
