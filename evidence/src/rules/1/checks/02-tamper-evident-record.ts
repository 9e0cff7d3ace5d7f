import type { Facts, VersionFacts, VersionKind } from "../../../facts.ts";
import type { Check } from "./check.ts";
import { AGAIN, type Condition, failed, judgeBy, listOf, NOT_STORED, saidFirst, short } from "./wording.ts";

export const tamperEvidentRecord: Check = {
  number: 2,
  id: "tamper_evident_record",
  weight: 13,
  legal_reference: "UCC 9-105(b)(1); UETA 12",
  requirement: "The stored record cannot be altered without detection.",
  judge: (facts) =>
    judgeBy(
      facts,
      [isStored, isUnaltered, isSealed, isDescended, bySource[facts.source]],
      ({ copy, seal }) =>
        `SHA-256 ${short(copy?.found_sha256 ?? null)} re-computed at ${copy?.read_at}; the seal of ${seal?.subject} verifies (${seal?.level}).`,
    ),
};

const RESTORE = `Restore the blob with the recorded hash, ${AGAIN}.`;
const OTHER_FILE = "Upload the right file as a new envelope.";

const isStored: Condition = ({ copy }) => (copy === null ? NOT_STORED : null);

const isUnaltered: Condition = (facts) => {
  const { sha256, size, found_sha256, found_size } = facts.copy ?? nothing;
  const altered = (recorded: string, found: string) =>
    failed(`Stored bytes do not match the recorded hash (recorded ${recorded}, found ${found}).`, RESTORE);
  if (found_sha256 !== sha256) return altered(short(sha256), short(found_sha256));
  if (found_size !== size) return altered(`${size} bytes`, `${found_size} bytes`);
  const [hash, recordedSize] = [saidFirst(facts, "vault.stored", "hash"), saidFirst(facts, "vault.stored", "size")];
  if (hash !== sha256) return altered(short(typeof hash === "string" ? hash : null), short(sha256));
  return recordedSize === size ? null : altered(`${recordedSize} bytes`, `${size} bytes`);
};

const nothing = { sha256: "", size: 0, found_sha256: null, found_size: null };

const isSealed: Condition = ({ seal }) =>
  seal?.valid === true ? null : failed(`The seal does not verify: ${seal?.fault ?? "there is none"}.`, RESTORE);

/** Where a version comes from, and which entry names it. `reread`: its bytes must be in the store. */
type Descent = {
  readonly parent: (facts: Facts) => string | null;
  readonly recorded: (facts: Facts) => readonly unknown[];
  readonly reread: boolean;
};

const hashOfVersion = ({ versions }: Facts, kind: VersionKind): string | null =>
  versions.find((version) => version.kind === kind)?.sha256 ?? null;

const descents: Record<VersionKind, Descent> = {
  // What was cleaned is kept only in its clean form.
  received: { parent: () => null, recorded: (facts) => [saidFirst(facts, "document.received", "received_sha256")], reread: false },
  // A template's document was received with the template: its hash stands in this chain when it is prepared.
  stored: {
    parent: (facts) => hashOfVersion(facts, "received"),
    recorded: (facts) => [saidFirst(facts, "document.received", "pdf_sha256"), saidFirst(facts, "document.prepared", "parent_sha256")],
    reread: false,
  },
  prepared: {
    parent: (facts) => hashOfVersion(facts, "stored"),
    recorded: (facts) => [saidFirst(facts, "document.prepared", "sha256")],
    reread: true,
  },
  stamped: {
    parent: (facts) => hashOfVersion(facts, "prepared"),
    recorded: (facts) => [saidFirst(facts, "document.stamped", "sha256")],
    reread: true,
  },
  signed: {
    parent: (facts) => hashOfVersion(facts, "stamped"),
    recorded: (facts) => [saidFirst(facts, "document.sealed", "sha256")],
    reread: false,
  },
  authoritative: {
    parent: (facts) => hashOfVersion(facts, facts.source === "signed_here" ? "stamped" : "stored"),
    recorded: (facts) => [saidFirst(facts, "vault.stored", "hash")],
    reread: false,
  },
};

const needed: Record<Facts["source"], readonly VersionKind[]> = {
  signed_here: ["stored", "prepared", "stamped", "authoritative"],
  electronic_signed: ["received", "stored", "authoritative"],
  paper_upload: ["received", "stored", "authoritative"],
};

const isDescended: Condition = (facts) => {
  const there = facts.versions.map(({ kind }) => kind);
  const kinds = [...new Set([...needed[facts.source], ...there])];
  const broken = kinds.find((kind) => !descends(facts, kind));
  return broken === undefined ? null : failed(`Version ${broken} is missing or does not match its hash.`, `${RESTORE} ${OTHER_FILE}`);
};

function descends(facts: Facts, kind: VersionKind): boolean {
  const version: VersionFacts | undefined = facts.versions.find((each) => each.kind === kind);
  const descent = Object.hasOwn(descents, kind) ? descents[kind] : undefined;
  if (version === undefined || descent === undefined || version.parent_sha256 !== descent.parent(facts)) return false;
  if (kind === "authoritative" && version.sha256 !== facts.copy?.sha256) return false;
  return descent.recorded(facts).includes(version.sha256) && (!descent.reread || version.found_sha256 === version.sha256);
}

const isSignedElsewhere: Condition = (facts) => {
  const received = hashOfVersion(facts, "received");
  const before = listOf(saidFirst(facts, "document.received", "signatures"));
  const broken = [before.map(({ intact }) => intact), facts.upload_signatures.map(({ intact }) => intact)]
    .map((all) => all.findIndex((intact) => intact !== true))
    .find((index) => index !== -1);
  if (broken !== undefined) return failed(`Signature ${broken + 1} in the uploaded PDF is broken.`, OTHER_FILE);
  const isKept = facts.document?.byte_for_byte === true && hashOfVersion(facts, "stored") === received;
  if (isKept && facts.upload_signatures.length > 0) return null;
  const attested = facts.attestation?.external?.document_sha256 ?? null;
  if (attested !== null && attested === received) return null;
  const remedy = `Attest external.document_sha256, ${AGAIN}. ${OTHER_FILE}`;
  if (attested === null) return failed("The uploaded PDF carries no signature and no hash from the issuing system.", remedy);
  return failed(
    `The hash from the issuing system is not that of the upload (attested ${short(attested)}, received ${short(received)}).`,
    remedy,
  );
};

const isKeptScan: Condition = (facts) => {
  const { document } = facts;
  const isPdf = document?.content_type === "application/pdf";
  const named = isPdf ? hashOfVersion(facts, "stored") : hashOfVersion(facts, "received");
  if (document === null || document.found_sha256 !== document.hash || document.hash !== named) {
    return failed("Version stored is missing or does not match its hash.", `${RESTORE} ${OTHER_FILE}`);
  }
  return (document.found_pages ?? 0) >= 1 ? null : failed("The stored PDF does not open or has no page.", `${RESTORE} ${OTHER_FILE}`);
};

const bySource: Record<Facts["source"], Condition> = {
  // The line of descent says it all.
  signed_here: () => null,
  electronic_signed: isSignedElsewhere,
  paper_upload: isKeptScan,
};
