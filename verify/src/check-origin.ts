import { createHash } from "node:crypto";
import {
  canonicalize,
  type Facts2,
  fingerprintOf,
  isLinkMessageSigned,
  type Link,
  type OriginFacts,
  originFile,
  proveRelease,
  type ReleaseMessage,
  readLinkMessage,
  readOrigin,
  rules2,
  type VaultPlace,
} from "@countersign/evidence";
import type { Checked, CheckedOrigin } from "./checked.ts";
import { isTestRecord } from "./is-test-record.ts";
import { isFacts2 } from "./rules-of.ts";
import { BundleRejected, type Files, type Options } from "./step.ts";
import type { AnyManifest } from "./steps/02-manifest.ts";
import type { Trust } from "./steps/03-trust.ts";

/** Verifies a bundle that lies inside this one, by all ten steps. */
export type CheckInner = (files: ReturnType<typeof filesOf>, options: Options) => Promise<Checked>;

const filesOf = (files: Files) => [...files].map(([name, bytes]) => ({ name, bytes }));

/**
 * Verifies the bundle of the vault before, and that it released this record to this vault. Null for a record that was first vaulted here.
 * The root of the vault before is the one that the first entry names: this vault pinned it.
 */
export async function checkOrigin(
  files: Files,
  { manifest, links, trust }: { readonly manifest: AnyManifest; readonly links: readonly Link[]; readonly trust: Trust },
  options: Options,
  checkInner: CheckInner,
): Promise<CheckedOrigin | null> {
  const found = readOrigin(filesOf(files));
  const [start] = links;
  const isImported = start?.entry.type === "chain.imported";
  if (found === null && !isImported) return null;
  if (found === null) throw new BundleRejected("origin/", "is missing, although the record was imported from another vault", 1);
  if (start === undefined || !isImported)
    throw new BundleRejected("origin/", "is there, although the record was not imported from another vault", 1);
  const said = dataOf(start);
  const name = originFile(found.number, "release.json");
  const inner = await checkInner(found.bundle, { ...options, root: String(said.root), as_of: null, witnesses: null });
  if (isTestRecord(inner.manifest, inner.trust))
    throw new BundleRejected(originFile(found.number, "manifest.json"), "is of a test record, which cannot move to another vault");
  if (!inner.trust.pinned) throw new BundleRejected(originFile(found.number, "trust/root.crt"), "does not follow the root that was pinned");
  const release = readRelease(found.release, inner, name);
  const proof = proveRelease(release, inner.trust.keys);
  if (proof.fault !== null) throw new BundleRejected(name, proof.fault);
  const before: VaultPlace = {
    root_sha256: String(said.root),
    org_id: inner.manifest.org_id,
    envelope_id: inner.manifest.envelope_id,
    copy_id: copyOf(inner),
  };
  const { seq, hash, at } = release.released.entry;
  const same: readonly [string, unknown, unknown][] = [
    ["the transfer", said.transfer_id, release.transfer_id],
    ["the organization before", said.org_id, before.org_id],
    ["the envelope before", said.envelope_id, before.envelope_id],
    ["the copy before", said.copy_id, before.copy_id],
    ["the sender", release.sender.org_id, before.org_id],
    ["the subject of the release", release.released.entry.subject, before.envelope_id],
    ["the receiver", release.receiver.org_id, manifest.org_id],
    ["the head of the chain before", canonicalize(Object(said.head) as never), canonicalize({ seq, hash })],
    ["the lineage", said.lineage_id, release.lineage_id],
    [
      "the release",
      said.release_sha256,
      createHash("sha256")
        .update(found.release.bytes ?? new Uint8Array())
        .digest("hex"),
    ],
    ["the chain in the package", canonicalize({ ...release.chain_head }), canonicalize(headOf(inner))],
    ["the stored document", storedHash(links), release.copy_sha256],
    ["the document before", storedHash(inner.links), release.copy_sha256],
  ];
  const other = same.find(([, one, two]) => one !== two);
  if (other !== undefined)
    throw new BundleRejected(name, `${other[0]} is ${String(other[1])} in one place and ${String(other[2])} in another`);
  if (!rootsOf(trust).includes(release.receiver.root)) throw new BundleRejected(name, "is a release to another vault");
  return settled(release, before, { seq, hash, at }, proof.witnessed, inner);
}

function settled(
  release: ReleaseMessage,
  vault: VaultPlace,
  released: OriginFacts["released"],
  witnessed: boolean,
  inner: Checked,
): CheckedOrigin {
  if (!isFacts2(inner.facts)) throw new BundleRejected("origin/", "the vault before evaluated the record under rules 1");
  const first = inner.origin?.first ?? inner;
  const place = inner.origin?.facts.first ?? vault;
  const [root, copy_id] = release.lineage_id.split("/");
  if (copy_id !== place.copy_id || !rootsOf(first.trust).includes(root ?? ""))
    throw new BundleRejected("origin/", `${release.lineage_id} is not the lineage of the record that the first vault sealed`);
  const facts: OriginFacts = {
    transfer_id: release.transfer_id,
    vault,
    first: place,
    lineage_id: release.lineage_id,
    released,
    witnessed,
    recoveries: rules2.recoveriesOfChain(inner.links),
    facts: inner.facts as Facts2,
  };
  const seen = witnessed ? "which a witness cosigned" : "which no witness cosigned";
  const notes = [
    `The record came from the vault with root ${vault.root_sha256}, which this vault had pinned. Its own bundle verifies, and its release of ${released.at} is in its log, ${seen}.`,
    ...inner.notes.map((note) => `Earlier vault: ${note}`),
  ];
  return { first, facts, notes };
}

function readRelease({ bytes, signature }: { bytes?: Uint8Array; signature?: Uint8Array }, inner: Checked, name: string): ReleaseMessage {
  const message = bytes === undefined ? null : readLinkMessage(bytes);
  if (bytes === undefined || signature === undefined || message?.type !== "countersign/link/1/release")
    throw new BundleRejected(name, "is not a signed release in canonical form");
  if (!isLinkMessageSigned({ bytes, signature }, message, inner.trust.keys))
    throw new BundleRejected(name, "is not signed by the vault before");
  return message;
}

const rootsOf = ({ keys, root }: Trust): string[] => [
  fingerprintOf(root),
  ...(keys.type === "countersign/keys/1" ? [] : keys.roots.map(({ certificate_sha256 }) => certificate_sha256)),
];

const headOf = ({ links }: Checked) => {
  const last = links.at(-1)?.entry;
  return { seq: last?.seq ?? 0, hash: last?.hash ?? "" };
};

const storedHash = (links: readonly Link[]): unknown => dataOf(links.find(({ entry }) => entry.type === "vault.stored")).hash;

const copyOf = ({ links }: Checked): string => String(dataOf(links.find(({ entry }) => entry.type === "vault.stored")).copy_id);

const dataOf = (link: Link | undefined): Record<string, unknown> => Object(link?.data?.data) as Record<string, unknown>;
