import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { ALGORITHMS, type AlgorithmPolicy, BadPolicy, noteKeyTypes, readPolicy, readVkey } from "@countersign/evidence";
import { type Command, exits, WrongUsage } from "./command.ts";
import { formatReport, verdictOf } from "./format-report.ts";
import { type Age, ageFault, readAge, readTime } from "./max-age.ts";
import { pinnedRoot } from "./pinned-root.ts";
import { readArguments } from "./read-arguments.ts";
import { readBundle } from "./read-bundle.ts";
import { AsOfTooLate } from "./registers-as-of.ts";
import type { WantedWitnesses } from "./step.ts";
import { type Report, verifyBundle } from "./verify-bundle.ts";
import { readNotes } from "./witness/require-witnesses.ts";

const usage = `countersign-verify [verify] <bundle.zip | folder> [options]
  --root <sha256>     SHA-256 of the installation's root certificate, obtained from a source other than the bundle
  --tsa-ca <file>     certificates (PEM) of the time-stamp authorities to trust instead of those that the installation lists
  --policy <file>     algorithms to accept (JSON), where they differ from those of this release
  --witness <vkey>    the key of a witness that must have cosigned the log; several times for several witnesses
  --quorum <n>        how many of these witnesses are enough; default: all
  --notes <folder>    folder with cosigned notes, and with tiles of the log if the notes are of later checkpoints
  --max-age <age>     refuse a bundle that is older, such as 24h: a number and s, m, h or d
  --as-of <time>      also print custodian and secured party at this time, such as 2026-03-05T12:00:00Z
  --allow-test        accept a test record, which was made in a sandbox and is not evidence
  --json              print the report as JSON
Exit codes: 0 VERIFIED (also if the copy has left the vault, which the last line says), 1 FAILED, 2 wrong usage, 3 CONSISTENT, SIGNER NOT PINNED (without --root, or if the pinned root did not sign that
another one follows it), 4 TOO OLD, 5 TEST RECORD (without --allow-test)
`;

const options = {
  root: { type: "string" },
  "tsa-ca": { type: "string" },
  policy: { type: "string" },
  witness: { type: "string", multiple: true },
  quorum: { type: "string" },
  notes: { type: "string" },
  "max-age": { type: "string" },
  "as-of": { type: "string" },
  "allow-test": { type: "boolean" },
  json: { type: "boolean" },
} as const;

/** `now` is an argument because --max-age is the only thing that needs a clock. */
export const verifyCommand = (now: () => Date): Command => ({
  name: "verify",
  summary: "check that a bundle is genuine and unchanged (default)",
  usage,
  run: async (args, write) => {
    const { values, path } = readArguments(args, options);
    const root = values.root === undefined ? null : pinnedRoot(values.root);
    const tsa_roots = values["tsa-ca"] === undefined ? null : certificatesIn(values["tsa-ca"]);
    const max_age = values["max-age"] === undefined ? null : readAge(values["max-age"]);
    const as_of = values["as-of"] === undefined ? null : readTime(values["as-of"]);
    const witnesses = wantedWitnesses(values);
    const allow_test = values["allow-test"] === true;
    const policy = values.policy === undefined ? ALGORITHMS : policyIn(values.policy);
    const report = await verifyBundle(() => readBundle(path), { root, tsa_roots, as_of, witnesses, policy, allow_test }).catch(
      (error: unknown) => {
        throw error instanceof AsOfTooLate ? new WrongUsage(error.message) : error;
      },
    );
    const { outcome, exit, notes } = judge(report, max_age, now());
    const told = { ...report, notes };
    const verdict = exit === exits.verified ? verdictOf(report) : outcome;
    write(values.json ? `${JSON.stringify({ ...told, outcome }, null, 2)}\n` : formatReport(told, verdict));
    return exit;
  },
});

type Judged = { readonly outcome: string; readonly exit: number; readonly notes: readonly string[] };

// The age counts only for a bundle that is otherwise verified: without a pinned root, its time is not proven either.
function judge({ outcome, as_of, notes }: Report, max_age: Age | null, now: Date): Judged {
  if (outcome === "FAILED") return { outcome, exit: exits.failed, notes };
  if (outcome === "TEST RECORD") return { outcome, exit: exits.test_record, notes };
  const dated =
    max_age === null || as_of === null || as_of.stated
      ? []
      : [`This bundle has no "as of"; its age counts from ${as_of.at}, when it was created.`];
  const fault = max_age === null || as_of === null ? null : ageFault(as_of.at, max_age, now);
  const all = [...notes, ...dated, ...(fault === null ? [] : [fault])];
  if (outcome !== "VERIFIED") return { outcome, exit: exits.not_pinned, notes: all };
  return fault === null ? { outcome, exit: exits.verified, notes: all } : { outcome: "TOO OLD", exit: exits.too_old, notes: all };
}

type Wanted = { readonly witness?: string[]; readonly quorum?: string; readonly notes?: string };

function wantedWitnesses({ witness = [], quorum: given, notes }: Wanted): WantedWitnesses | null {
  const keys = witness.flatMap((text) => readVkey(text) ?? []).filter(({ type }) => type === noteKeyTypes.cosignature);
  if (keys.length !== witness.length)
    throw new WrongUsage("--witness must be the key of a witness, such as witness.example/w1+da77ade7+BOvN….");
  const quorum = Number(given ?? keys.length);
  if (given !== undefined && (!Number.isInteger(quorum) || quorum < 1 || quorum > keys.length))
    throw new WrongUsage("--quorum must be a number from 1 to the number of witnesses.");
  if (keys.length === 0 && notes !== undefined) throw new WrongUsage("--notes needs --witness.");
  return keys.length === 0 ? null : { keys, quorum, ...(notes === undefined ? { notes: [], tiles: null } : readNotes(notes)) };
}

function policyIn(path: string): AlgorithmPolicy {
  try {
    return readPolicy(readFileSync(path, "utf8"));
  } catch (error) {
    throw error instanceof BadPolicy ? new WrongUsage(`--policy ${error.message}`) : error;
  }
}

function certificatesIn(path: string): Uint8Array[] {
  const blocks = readFileSync(path, "latin1").match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0) throw new WrongUsage(`${path} contains no certificates in PEM format`);
  return blocks.map((block) => new X509Certificate(block).raw);
}
