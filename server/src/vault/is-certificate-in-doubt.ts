import { readChain } from "../audit/read-chain.ts";
import { readToken } from "../seals/read-token.ts";
import { lookUpSeal } from "../seals/store.ts";
import { sealRoots } from "../seals/verify-own-seal.ts";
import type { EnvelopeId, OrgId, SealId } from "../shared/ids.ts";
import { listFirstCosignatures } from "../transparency/note-store.ts";
import { listTokens, lookUpCheckpoint, lookUpLeaves } from "../transparency/store.ts";
import { timeStampAuthorities } from "./facts/log-facts.ts";
import { lookUpCertificate } from "./store.ts";
import type { PipelineDeps } from "./vault.ts";

// A few of the first tokens may be of an authority that was never trusted.
const MOST_TOKENS = 8;

/**
 * Whether the latest certificate was sealed with this seal, and no one outside saw it before the seal became invalid. Readers then refuse it,
 * so the record needs a new one.
 */
export async function isCertificateInDoubt(
  deps: PipelineDeps,
  org: OrgId,
  envelope_id: EnvelopeId,
  seal_id: SealId,
  invalid_from: Date,
): Promise<boolean> {
  const { certificate, seal, links } = await deps.db.tx(org, async (tx) => ({
    certificate: await lookUpCertificate(tx, org, envelope_id),
    seal: await lookUpSeal(tx, org, seal_id),
    links: await readChain(tx, org, envelope_id),
  }));
  const issued = links.findLast(({ entry }) => entry.type === "vault.certificate.issued")?.entry;
  if (certificate === null || seal === null || issued === undefined) return false;
  if (await wasSeenBefore(deps, issued.hash, invalid_from)) return false;
  const pdf = await deps.storage.blobs.read(org, certificate.pdf_sha256);
  const reports = await deps.seals.pdf.verify(
    pdf,
    { ...(await sealRoots(deps.seals, org)), at: new Date(issued.at) },
    { key: org, priority: "background" },
  );
  return reports.some((report) => report.certificate?.sha256 === seal.certificate_sha256);
}

/** Whether a time stamp or a witness shows that the entry existed before this time. */
async function wasSeenBefore(deps: PipelineDeps, hash: string, time: Date): Promise<boolean> {
  const { cosignatures, tokens } = await deps.db.system(async (tx) => {
    const from_size = ((await lookUpLeaves(tx, [hash])).get(hash) ?? Infinity) + 1;
    if (from_size === Infinity) return { cosignatures: [], tokens: [] };
    const found = await listTokens(tx, from_size, MOST_TOKENS);
    return {
      cosignatures: await listFirstCosignatures(tx, from_size),
      tokens: await Promise.all(found.map(async ({ tree_size, token }) => ({ token, checkpoint: await lookUpCheckpoint(tx, tree_size) }))),
    };
  });
  const roots = await timeStampAuthorities(deps);
  const read = tokens.flatMap(({ token, checkpoint }) => (checkpoint === null ? [] : [readToken(token, checkpoint.bytes, roots)]));
  const times = [...cosignatures.map(({ at, valid }) => ({ at, valid })), ...read.map(({ gen_time: at, valid }) => ({ at, valid }))];
  return times.some(({ at, valid }) => valid && new Date(at) < time);
}
