import { type ParseArgsConfig, parseArgs } from "node:util";
import { WrongUsage } from "./command.ts";

type Options = NonNullable<ParseArgsConfig["options"]>;
type Parsed<T extends Options> = ReturnType<typeof parseArgs<{ args: string[]; options: T; allowPositionals: true }>>["values"];

/** Options and the path of one bundle. Throws WrongUsage for anything else. */
export function readArguments<T extends Options>(args: readonly string[], options: T): { values: Parsed<T>; path: string } {
  const { values, positionals } = parsed(args, options);
  const [path, ...more] = positionals;
  if (path === undefined || more.length > 0) throw new WrongUsage("Give the path of one bundle.");
  return { values, path };
}

function parsed<T extends Options>(args: readonly string[], options: T) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    if (error instanceof TypeError) throw new WrongUsage(error.message);
    throw error;
  }
}
