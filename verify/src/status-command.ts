import { readFileSync } from "node:fs";
import type { KnownAs, Status } from "@countersign/evidence";
import { type Command, exits, WrongUsage } from "./command.ts";
import { ageFault, readAge } from "./max-age.ts";
import { oneLine } from "./one-line.ts";
import { pinnedRoot } from "./pinned-root.ts";
import { readArguments } from "./read-arguments.ts";
import { readKeys } from "./read-keys.ts";

import { BundleRejected } from "./step.ts";
import { type StatusReport, verifyStatus } from "./verify-status.ts";

const usage = `countersign-verify status <answer.json> --keys <bundle.zip | folder | trust.json> [options]
  Checks a saved answer of a status page (its address with .json at the end). Contacts no server.
  --keys <path>       the list of keys: a bundle of the installation, or its saved /.well-known/countersign-trust.json
  --root <sha256>     SHA-256 of the installation's root certificate, obtained from another source
  --max-age <age>     refuse an answer that is older, such as 24h: a number and s, m, h or d
Exit codes: 0 VERIFIED, 1 FAILED, 2 wrong usage, 3 CONSISTENT, SIGNER NOT PINNED (without --root), 4 TOO OLD
`;

const options = { keys: { type: "string" }, root: { type: "string" }, "max-age": { type: "string" } } as const;

/** `now` is an argument because only --max-age needs a clock. */
export const statusCommand = (now: () => Date): Command => ({
  name: "status",
  summary: "check a saved answer of a status page",
  usage,
  run: async (args, write) => {
    const { values, path } = readArguments(args, options);
    if (values.keys === undefined) throw new WrongUsage("Give the list of keys with --keys.");
    const root = values.root === undefined ? null : pinnedRoot(values.root);
    const age = values["max-age"] === undefined ? null : readAge(values["max-age"]);
    try {
      const report = verifyStatus(readFileSync(path), readKeys(values.keys), root);
      const fault = age === null ? null : ageFault(report.document.as_of.at, age, now(), "answer");
      const { outcome, exit } = judge(report, fault);
      const notes = [...report.notes, ...(fault === null ? [] : [fault])];
      write(`${[...linesOf(report.document), "", ...notes, ...(notes.length > 0 ? [""] : []), outcome].join("\n")}\n`);
      return exit;
    } catch (error) {
      if (!(error instanceof BundleRejected)) throw error;
      write(`${error.file}: ${error.message}\n\nFAILED\n`);
      return exits.failed;
    }
  },
});

function judge({ pinned }: StatusReport, fault: string | null): { outcome: string; exit: number } {
  if (!pinned) return { outcome: "CONSISTENT, SIGNER NOT PINNED", exit: exits.not_pinned };
  return fault === null ? { outcome: "VERIFIED", exit: exits.verified } : { outcome: "TOO OLD", exit: exits.too_old };
}

const KNOWN: Readonly<Record<NonNullable<KnownAs>, string>> = {
  authoritative: "has the recorded hash of the authoritative copy",
  certificate: "is a certificate of the record",
  copy: "is a copy that the installation handed out",
  signed: "is the signed document as it was handed out before it was vaulted",
};

function linesOf(status: Status): string[] {
  const { state_since, certificate, parties, file } = status;
  const lines = [
    ["Record", status.status_url],
    ["State", `${status.state}${state_since === null ? "" : `, since ${state_since}`}`],
    ["As of", `${status.as_of.at}, log of ${status.as_of.tree_size} entries`],
    ["Stored", status.stored_at],
    ["Document", `SHA-256 ${status.document_sha256}`],
    ["Certificate", `revision ${certificate.revision} of ${certificate.evaluated_at}, SHA-256 ${certificate.pdf_sha256}`],
    ...(parties === null ? [] : [["Organization", parties.organization]]),
    ...(parties === null ? [] : [["Secured party", parties.secured_party ?? "none named"]]),
    ...(file === null ? [] : [["File", `${file.sha256} ${file.known_as === null ? "is not known of this record" : KNOWN[file.known_as]}`]]),
  ];
  return lines.map(([label = "", value = ""]) => `${label.padEnd(16)} ${oneLine(value)}`);
}
