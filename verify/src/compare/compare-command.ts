import { parseArgs } from "node:util";
import { type NoteKey, noteKeyTypes, readVkey } from "@countersign/evidence";
import { BundleRejected } from "../step.ts";
import { BadTile, tilesIn } from "../tile-folder.ts";
import { type Compared, compareSides, differentLogs } from "./compare-sides.ts";
import { readSide, type Side } from "./read-side.ts";

export const COMPARE_USAGE = `countersign-verify compare <A> <B> [--root <sha256>] [--log <vkey>] [--tiles <folder>]

  A, B      evidence bundles or notes of checkpoints of one log
  --root    SHA-256 of the installation's root certificate, for bundles
  --log     the key of the log, needed for notes; several times if it was rotated or restarted
  --tiles   folder with the tiles of the log, such as that of countersign-verify witness --poll

Exit codes: 0 NO CONTRADICTION FOUND or LOG RESTARTED (declared), 1 FORK, or one of the two was not signed by the log, 2 wrong usage
`;

const [FOUND, WRONG_USAGE] = [1, 2];

/** Returns the exit code. All output goes to `write`. */
export async function runCompare(args: readonly string[], write: (text: string) => void): Promise<number> {
  const wanted = readArguments(args);
  if (typeof wanted === "string") {
    write(`${wanted}\n\n${COMPARE_USAGE}`);
    return WRONG_USAGE;
  }
  try {
    const given = [readSide(wanted.one, wanted), readSide(wanted.other, wanted)] as const;
    const why = differentLogs(...given, wanted.root !== null);
    const [one, other] = why === null ? given : (commonLog(...given) ?? []);
    if (one === undefined || other === undefined) {
      write(`${why}\n`);
      return WRONG_USAGE;
    }
    if (why !== null) write(`${why} Compared is the log of the vault that the record came from.\n`);
    const compared = await compareSides(one, other, wanted.tiles === null ? null : tilesIn(wanted.tiles));
    write(`${verdictOf(compared)}\n`);
    return compared.contradiction !== null && !compared.restarted ? FOUND : 0;
  } catch (error) {
    if (error instanceof BundleRejected) {
      write(`FAILED ${error.file}: ${error.message}\n`);
      return FOUND;
    }
    if (!(error instanceof BadTile || (error instanceof Error && "syscall" in error))) throw error;
    write(`${error.message}\n`);
    return WRONG_USAGE;
  }
}

/** A record that moved is in the logs of both vaults: what its bundle shows of the log of an earlier vault is compared with that vault's. */
function commonLog(one: Side, other: Side): readonly [Side, Side] | null {
  for (const a of [one, ...one.earlier])
    for (const b of [other, ...other.earlier])
      if (a.log_id !== null && a.log_id === b.log_id && differentLogs(a, b, false) === null) return [a, b];
  return null;
}

function verdictOf({ nodes, contradiction, restarted }: Compared): string {
  if (contradiction === null) return `NO CONTRADICTION FOUND (${nodes} nodes compared)`;
  return restarted ? `LOG RESTARTED (declared): ${contradiction}` : `FORK: ${contradiction}`;
}

type Arguments = {
  readonly one: string;
  readonly other: string;
  readonly root: string | null;
  readonly logs: readonly NoteKey[];
  readonly tiles: string | null;
};

function readArguments(args: readonly string[]): Arguments | string {
  try {
    const options = { root: { type: "string" }, log: { type: "string", multiple: true }, tiles: { type: "string" } } as const;
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [one, other, ...more] = positionals;
    if (one === undefined || other === undefined || more.length > 0) return "Give the paths of two bundles or notes.";
    const root = values.root?.replaceAll(":", "").toLowerCase() ?? null;
    if (root !== null && !/^[0-9a-f]{64}$/.test(root)) return "--root must be a SHA-256 hash: 64 hexadecimal digits.";
    const logs = (values.log ?? []).flatMap((text) => readVkey(text) ?? []).filter(({ type }) => type === noteKeyTypes.ed25519);
    if (logs.length !== (values.log ?? []).length)
      return "--log must be the key of a log, such as sign.example.com/log/9f2c+c74f20a3+ARpc….";
    return { one, other, root, logs, tiles: values.tiles ?? null };
  } catch (error) {
    if (error instanceof TypeError) return error.message;
    throw error;
  }
}
