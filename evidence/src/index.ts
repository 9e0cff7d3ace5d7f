export { type BatchItem, type BatchPlace, type BatchTree, batchTree, isInBatch } from "./act-batch.ts";
export {
  type ActMessage,
  type ActMessageBase,
  type ActOutcome,
  type ActSubject,
  actOutcomes,
  type ClosingMessage,
  type DecidedBy,
  type DecisionMessage,
  isActMessageSigned,
  type RequestMessage,
  readActMessage,
  subjectsOfKinds,
  writeActMessage,
} from "./act-message.ts";
export {
  ALGORITHMS,
  type AlgorithmId,
  type AlgorithmPolicy,
  type AlgorithmStatus,
  algorithmIds,
  algorithmOfKey,
  BadPolicy,
  outdatedAlgorithms,
  readPolicy,
  refusedAlgorithm,
} from "./algorithms.ts";
export { readChain, writeChain } from "./bundle/chain-lines.ts";
export { type Described, type LackCode, lackCodes, lackSentences, lacksOf } from "./bundle/lacks.ts";
export { type Manifest, manifestFault, manifestOf, readManifest } from "./bundle/manifest.ts";
export { type Manifest2, readManifest2, sha512Fault } from "./bundle/manifest-2.ts";
export { type BundleKind, documentNames, isSealFile, isSupplied, isText, namesFault, type RequiredName } from "./bundle/names.ts";
export {
  certificateFile,
  certificateNames,
  names2Fault,
  originFile,
  originsIn,
  renewalsIn,
  revisionsIn,
  sealFile,
} from "./bundle/names-2.ts";
export { type ReleaseFiles, readOrigin, writeOrigins } from "./bundle/origins.ts";
export { type Proofs, readProofs } from "./bundle/proofs.ts";
export { isOfOneLog, type RenewalProof, readRenewalProof } from "./bundle/renewal-proof.ts";
export { readSigned, writeSigned } from "./bundle/signed-files.ts";
export {
  fingerprintOf,
  isSignedByRoot,
  type KeyGeneration,
  keyAt,
  type RecordsKey,
  type RevocableSeal,
  type RootGeneration,
  readPem,
  readTrustKeys,
  recordsKeyAt,
  type SealCertificate,
  sealOf,
  signTrustKeys,
  type TrustKeys,
  type TrustKeys1,
  type TrustKeys2,
  withLowS,
  writePem,
} from "./bundle/trust-keys.ts";
export { VERIFY_MD, writeVerifyMd } from "./bundle/verify-md.ts";
export { type BundleParts, type ManifestSigner, writeBundle } from "./bundle/write-bundle.ts";
export {
  type Bundle2Parts,
  type CertificateFiles,
  type RenewalFiles,
  writeBundle2,
} from "./bundle/write-bundle-2.ts";
export { canonicalize, type Json, NotCanonical, parseCanonical } from "./canonical.ts";
export { certificateOf } from "./certificate/certificate-of.ts";
export { identityIn, type NamedSigner } from "./certificate/chain-signers.ts";
export {
  type CompletionDetails,
  type CompletionStatus,
  completionEnd,
  completionHashes,
  completionOf,
  completionStatuses,
} from "./certificate/completion-of.ts";
export { type CertificateExtras, certificateId, type PrintedMark, type PrintedText } from "./certificate/details.ts";
export type { CertificateModel } from "./certificate/document.ts";
export { eventWords } from "./certificate/event-words.ts";
export { type KeptText, textDocument } from "./certificate/text-document.ts";
export { type Appended, commitmentOf, genesis, hashOf, nextEntry } from "./chain.ts";
export { type Checkpoint, canonicalValue, isSigned, keyIdOf, readCheckpoint, type Signed, signRecord } from "./checkpoint.ts";
export { commonName } from "./common-name.ts";
export {
  addConsistency,
  addInclusion,
  addTree,
  compareViews,
  completeView,
  emptyView,
  firstSplit,
  type RangeHash,
  type Split,
  type View,
  type ViewsCompared,
} from "./compare.ts";
export {
  authoritativeSealReason,
  COPY_MARK,
  copySealReason,
  envelopeOfMark,
  PAPER_MARK,
  PARTIAL_MARK,
  partSealReason,
  renditionOfSeal,
  type SealedRendition,
  signedSealReason,
} from "./copy-mark.ts";
export { type Cosignature, cosign, cosignatureBy, cosignatureIn, timeOfCosignature } from "./cosignature.ts";
export { type EnteredValue, hashOfState, hashOfValues } from "./document-state.ts";
export { type Act, type Actor, type Entry, type EntryData, type Head, isHash } from "./entry.ts";
export type * from "./facts.ts";
export type * from "./facts-2.ts";
export { fingerprintKinds, recordTypes } from "./facts-2.ts";
export { HIGHEST_LEVEL, type IdentityMethod, identityLevel, identityMethods } from "./identity-methods.ts";
export { hashOfInstrument, plainLetters } from "./instrument.ts";
export {
  type AcceptMessage,
  type ChainHead,
  type EndMessage,
  type FetchMessage,
  isLinkMessageSigned,
  kindOfLinkMessage,
  type LinkMessage,
  type LinkMessageBase,
  type LinkParty,
  linkKeyInfo,
  type OfferMessage,
  type PackageMessage,
  proveRelease,
  type ReadyMessage,
  type ReceiptMessage,
  type ReleaseMessage,
  type ReleaseProof,
  readLinkMessage,
  writeLinkMessage,
} from "./link-message.ts";
export {
  appendLeaves,
  consistencyProof,
  EMPTY_LOG,
  type Frontier,
  frontierPlaces,
  hashOfRange,
  type Inclusion,
  inclusionProof,
  isConsistent,
  isIncluded,
  leafOf,
  type Node,
  nodeOf,
  type Place,
  type Range,
  type ReadNodes,
  rootOf,
  type Tree,
} from "./log.ts";
export {
  blockStart,
  hashOfRecord,
  isRecordOf,
  LEAVES_PER_BLOCK,
  type LogRecord,
  type LogRecordKind,
  logRecordKinds,
  readLogRecord,
  recordObject,
  rehashOfData,
  rehashOfEntry,
  rehashOfRecord,
  rootBySha512,
  type WrittenLogRecord,
  writeLogRecord,
} from "./log-record.ts";
export { areRestarts, type LogRestart, originOf, readLogRestart, writeLogRestart } from "./log-restart.ts";
export { invitationOf, type MailAcceptance, type MailEvidence, type MailState, mailEvidence } from "./mail-evidence.ts";
export { namesIn } from "./names-in.ts";
export {
  fromBase64,
  isNoteName,
  isNoteSignedBy,
  type Note,
  type NoteKey,
  type NoteKeyType,
  type NoteSignature,
  noteKeyOf,
  noteKeyTypes,
  rawKeyOf,
  readNote,
  readSignatures,
  readTreeHead,
  readVkey,
  signatureLine,
  type TreeHead,
  writeNote,
  writeTreeHead,
  writeVkey,
} from "./note.ts";
export {
  type PasskeyAlgorithm,
  type PasskeyAssertion,
  type PasskeyExpected,
  type PasskeyFault,
  type PasskeyProof,
  passkeyAlgorithms,
  passkeyFault,
  passkeyProofFault,
  signCountOf,
} from "./passkey.ts";
export { type RootSuccession, type Roots, type RootWalk, readRoots, type SignedSuccession, walkRoots } from "./root-succession.ts";
export { type ChainFacts, chainFacts, hashOfJson, type Milestone, milestonesOf } from "./rules/1/chain-facts.ts";
export { disclosureElements } from "./rules/1/checks/05-consent-and-attribution.ts";
export { isInWindow } from "./rules/1/checks/06-audit-trail.ts";
export { namesSomebody } from "./rules/1/checks/08-secured-party.ts";
export { type CheckId, type CheckResult, checkIds, type Evaluation, type Warning, warningCodes } from "./rules/1/checks/check.ts";
export { evaluate } from "./rules/1/checks/evaluate.ts";
export { SELF_OPERATED, timeSource } from "./rules/1/checks/warnings.ts";
export { attestedNameOf, lastStoring } from "./rules/1/checks/wording.ts";
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
export * as rules2 from "./rules/2/index.ts";
export { type JudgedSeal, type SealTimes, type SealVerdict, sealValidity } from "./seal-validity.ts";
export {
  CONTENT_VERSION,
  type ContentVersion,
  contentVersionOf,
  type Difference,
  type DifferenceKind,
  type DocumentRow,
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
export { type KnownAs, readSignedStatus, type SignedStatus, type Status } from "./status.ts";
export { isSandboxId, TEST_MARK, TEST_OPERATION, TEST_ROOT_NAME } from "./test-record.ts";
export {
  type FetchTile,
  hashOverTile,
  isTileOfEntries,
  nodesFromTiles,
  placesInTile,
  readEntriesTile,
  readTile,
  readTilePath,
  TILE_WIDTH,
  type Tile,
  tilePath,
  tilesOf,
  tileWidth,
  writeEntriesTile,
  writeTile,
} from "./tiles.ts";
export { type RemoteTrust, readRemoteTrust, readTrustStatement, type TrustStatement, trustStatementOf } from "./trust-document.ts";
export {
  isOneInstallation,
  readVaultProof,
  type VaultDecision,
  type VaultExpected,
  type VaultFault,
  type VaultProof,
} from "./vault-proof.ts";
export { type Expected, type Fault, type FaultKind, firstFault, type Link } from "./verify-chain.ts";
export { readZip } from "./zip/read-zip.ts";
export { writeZip } from "./zip/write-zip.ts";
export { BadZip, isFileName, MAX_UNPACKED_BYTES, type NamedFile } from "./zip/zip-format.ts";
