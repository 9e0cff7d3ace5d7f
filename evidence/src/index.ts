export { readChain, writeChain } from "./bundle/chain-lines.ts";
export { type Manifest, manifestFault, manifestOf, readManifest } from "./bundle/manifest.ts";
export { type BundleKind, documentNames, isSupplied, isText, namesFault, type RequiredName } from "./bundle/names.ts";
export { type Proofs, readProofs } from "./bundle/proofs.ts";
export {
  fingerprintOf,
  isSignedByRoot,
  type RecordsKey,
  readPem,
  readTrustKeys,
  recordsKeyAt,
  type SealCertificate,
  signTrustKeys,
  type TrustKeys,
  writePem,
} from "./bundle/trust-keys.ts";
export { VERIFY_MD } from "./bundle/verify-md.ts";
export { type BundleParts, writeBundle } from "./bundle/write-bundle.ts";
export { canonicalize, type Json, NotCanonical, parseCanonical } from "./canonical.ts";
export { certificateOf } from "./certificate/certificate-of.ts";
export { type CertificateExtras, certificateId, type PrintedEntry, type PrintedText } from "./certificate/details.ts";
export type { CertificateModel } from "./certificate/document.ts";
export { type Appended, commitmentOf, genesis, hashOf, nextEntry } from "./chain.ts";
export { type Checkpoint, canonicalValue, isSigned, keyIdOf, readCheckpoint, type Signed, signRecord } from "./checkpoint.ts";
export { COPY_MARK, copySealReason } from "./copy-mark.ts";
export { type EnteredValue, hashOfState, hashOfValues } from "./document-state.ts";
export type { Act, Actor, Entry, EntryData, Head } from "./entry.ts";
export type * from "./facts.ts";
export {
  appendLeaves,
  consistencyProof,
  EMPTY_LOG,
  type Frontier,
  frontierPlaces,
  type Inclusion,
  inclusionProof,
  isConsistent,
  isIncluded,
  leafOf,
  type Node,
  nodeOf,
  type Place,
  type ReadNodes,
  rootOf,
  type Tree,
} from "./log.ts";
export { type ChainFacts, chainFacts, hashOfJson, type Milestone, milestonesOf } from "./rules/1/chain-facts.ts";
export { disclosureElements } from "./rules/1/checks/05-consent-and-attribution.ts";
export { isInWindow } from "./rules/1/checks/06-audit-trail.ts";
export { namesSomebody } from "./rules/1/checks/08-secured-party.ts";
export { type CheckId, type CheckResult, checkIds, type Evaluation, type Warning, warningCodes } from "./rules/1/checks/check.ts";
export { evaluate } from "./rules/1/checks/evaluate.ts";
export { SELF_OPERATED, timeSource } from "./rules/1/checks/warnings.ts";
export { lastStoring } from "./rules/1/checks/wording.ts";
export { type Compliance, type ComplianceView, complianceOf, complianceView } from "./rules/1/compliance.ts";
export { complianceJson } from "./rules/1/compliance-json.ts";
export { type Contradiction, firstContradiction } from "./rules/1/facts-against-chain.ts";
export {
  type Assignments,
  type Custody,
  type RegisterFault,
  type Registers,
  type ReplayedAssignment,
  type ReplayedPermission,
  registersJson,
  registersOf,
  replayAssignments,
  replayCustody,
} from "./rules/1/registers.ts";
export {
  CONTENT_VERSION,
  type Difference,
  type DifferenceKind,
  differenceKinds,
  differences,
  type FieldRow,
  firstDifference,
  hashOfFields,
  hashOfSigners,
  type MarkRow,
  type SignatureRow,
  type SignedRows,
  type SignerIdentity,
  type SignerRow,
  type ValueRow,
} from "./signed-content.ts";
export { type Expected, type Fault, type FaultKind, firstFault, type Link } from "./verify-chain.ts";
export { readZip } from "./zip/read-zip.ts";
export { writeZip } from "./zip/write-zip.ts";
export { BadZip, isFileName, MAX_UNPACKED_BYTES, type NamedFile } from "./zip/zip-format.ts";
