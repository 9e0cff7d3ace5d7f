import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { readBundle } from "./read-bundle.ts";
import { type Outcome, type Report, verifyBundle } from "./verify-bundle.ts";

const USAGE = `countersign-verify <bundle.zip | folder> [--root <sha256>] [--tsa-ca <file>] [--json]

  --root    SHA-256 of the installation's root certificate, obtained from a source other than the bundle
  --tsa-ca  certificates (PEM) of the time-stamp authorities to trust instead of those that the installation lists
  --json    print the report as JSON

Exit codes: 0 VERIFIED, 1 FAILED, 2 wrong usage, 3 CONSISTENT, SIGNER NOT PINNED (without --root)
`;

const exits: Record<Outcome, number> = { VERIFIED: 0, FAILED: 1, "CONSISTENT, SIGNER NOT PINNED": 3 };
const WRONG_USAGE = 2;

/** Returns the exit code. All output goes to `write`. */
export async function runCli(args: readonly string[], write: (text: string) => void): Promise<number> {
  const parsed = readArguments(args);
  if (typeof parsed === "string") {
    write(`${parsed}\n\n${USAGE}`);
    return WRONG_USAGE;
  }
  try {
    const tsa_roots = parsed.tsa_ca === null ? null : certificatesIn(parsed.tsa_ca);
    const report = await verifyBundle(() => readBundle(parsed.path), { root: parsed.root, tsa_roots });
    write(parsed.json ? `${JSON.stringify(report, null, 2)}\n` : formatReport(report));
    return exits[report.outcome];
  } catch (error) {
    if (!isFileError(error)) throw error;
    write(`${error.message}\n`);
    return WRONG_USAGE;
  }
}

type Arguments = { readonly path: string; readonly root: string | null; readonly tsa_ca: string | null; readonly json: boolean };

function readArguments(args: readonly string[]): Arguments | string {
  try {
    const options = { root: { type: "string" }, "tsa-ca": { type: "string" }, json: { type: "boolean" } } as const;
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [path, ...more] = positionals;
    if (path === undefined || more.length > 0) return "Give the path of one bundle.";
    // Certificate viewers show it in upper case, with colons.
    const root = values.root?.replaceAll(":", "").toLowerCase() ?? null;
    if (root !== null && !/^[0-9a-f]{64}$/.test(root)) return "--root must be a SHA-256 hash: 64 hexadecimal digits.";
    return { path, root, tsa_ca: values["tsa-ca"] ?? null, json: values.json ?? false };
  } catch (error) {
    if (error instanceof TypeError) return error.message;
    throw error;
  }
}

class NoCertificates extends Error {}

function certificatesIn(path: string): Uint8Array[] {
  const blocks = readFileSync(path, "latin1").match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0) throw new NoCertificates(`${path} contains no certificates in PEM format`);
  return blocks.map((block) => new X509Certificate(block).raw);
}

// A missing or unreadable file is a usage error; it says nothing about the bundle.
const isFileError = (error: unknown): error is Error => error instanceof NoCertificates || (error instanceof Error && "syscall" in error);

function formatReport({ outcome, steps, notes }: Report): string {
  const lines = steps.map(({ number, name, passed, says, file, entry }) => {
    const where = passed ? "" : ` ${file}${entry === null ? "" : `, entry ${entry}`}:`;
    return `${String(number).padStart(2)} ${name.padEnd(12)} ${passed ? "ok    " : "FAILED"}${where} ${says}`;
  });
  return `${[...lines, "", ...notes, ...(notes.length > 0 ? [""] : []), outcome].join("\n")}\n`;
}
