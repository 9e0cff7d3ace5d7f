import { type Command, exits } from "./command.ts";
import { inspectBundle } from "./inspect-bundle.ts";
import { readArguments } from "./read-arguments.ts";
import { readBundle } from "./read-bundle.ts";
import { BundleRejected } from "./step.ts";

const usage = `countersign-verify inspect <bundle.zip | folder>
  Says what the bundle contains, in its own words. Checks nothing.
Exit codes: 0, 1 the bundle cannot be unpacked, 2 wrong usage
`;

export const inspectCommand: Command = {
  name: "inspect",
  summary: "say what a bundle contains, without checking it",
  usage,
  run: async (args, write) => {
    const { path } = readArguments(args, {});
    try {
      write(inspectBundle(readBundle(path)));
      return exits.verified;
    } catch (error) {
      if (!(error instanceof BundleRejected)) throw error;
      write(`${error.file}: ${error.message}\n`);
      return exits.failed;
    }
  },
};
