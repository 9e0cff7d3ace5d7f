import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { type Scope, scopes } from "./shared/scopes.ts";

/** Input and output of the command line. */

/** Wrong usage: prints the message and the help, and ends with exit code 2. */
export class Usage extends Error {}
export type Values = Readonly<Record<string, string | undefined>>;

/** `words`: the number of positional arguments that the command accepts. More are refused. */
export function parse(
  args: readonly string[],
  known: Readonly<Record<string, "string" | "boolean">>,
  words = 0,
): { values: Values; positionals: string[] } {
  const options = Object.fromEntries(Object.entries(known).map(([name, type]) => [name, { type }]));
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  if (positionals.length > words) throw new Usage(`Too many arguments: ${positionals.slice(words).join(" ")}`);
  return { values: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)])), positionals };
}

export function needed(values: Values, name: string): string {
  const value = values[name];
  if (value === undefined || value.trim() === "") throw new Usage(`--${name} is required`);
  return value;
}

/** Passwords should not be arguments, because arguments are visible to every user of the machine. */
export async function askPassword(given: string | undefined): Promise<string> {
  if (given !== undefined) return given;
  if (!process.stdin.isTTY) return (await text(process.stdin)).trimEnd();
  process.stderr.write("Password (12 characters or more): ");
  return readHidden();
}

function readHidden(): Promise<string> {
  return new Promise((resolve, reject) => {
    let typedSoFar = "";
    process.stdin.setRawMode(true).setEncoding("utf8").resume();
    process.stdin.on("data", function take(typed: string) {
      for (const character of typed) {
        if (character === "\r" || character === "\n" || character === "\u0003") {
          process.stdin.off("data", take).setRawMode(false).pause();
          process.stderr.write("\n");
          if (character === "\u0003") reject(new Usage("Cancelled. Nothing was created."));
          else resolve(typedSoFar);
          return;
        }
        typedSoFar = character === "\u007f" ? typedSoFar.slice(0, -1) : typedSoFar + character;
      }
    });
  });
}

/** Names are free text. Control characters, which could move the cursor or hide a line, are printed as escapes. */
export function print(line: string): void {
  const shown = line.replace(/(?!\n)\p{Cc}/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
  process.stdout.write(`${shown}\n`);
}

export function scopesFrom(list: string | undefined): Scope[] {
  const given = (list ?? scopes.join(",")).split(",").map((scope) => scope.trim());
  const unknown = given.filter((scope) => !(scopes as readonly string[]).includes(scope));
  if (unknown.length > 0) throw new Usage(`Unknown scope: ${unknown.join(", ")}. Allowed: ${scopes.join(", ")}`);
  return given as Scope[];
}

export function labelFrom(name: string): string {
  if ([...name].length > 200) throw new Usage("--name must have at most 200 characters");
  return name;
}

export function rateFrom(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const number = Number(given);
  if (!Number.isInteger(number) || number < 1 || number > 100_000) throw new Usage("--rate-limit must be a whole number from 1 to 100000");
  return number;
}
