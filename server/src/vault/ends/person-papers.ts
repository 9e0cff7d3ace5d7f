import { appendAudit } from "../../audit/append-audit.ts";
import { readStored } from "../../documents/read-stored.ts";
import { findEnvelope } from "../../envelopes/store.ts";
import type { FileAnswer } from "../../http/endpoint.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import { callerIn, type PersonCaller } from "../../shared/caller.ts";
import type { EndingId, OrgId } from "../../shared/ids.ts";
import { Problem } from "../../shared/problems.ts";
import type { ActWithDecisions } from "../acts/act.ts";
import { findAct } from "../acts/store.ts";
import { requireState, type VaultDeps } from "../copy.ts";
import { findCopy, lockCopyById, setCopyState } from "../copy-store.ts";
import { releaseCustodian } from "../custody/store.ts";
import { refuseHeld } from "../keeping/store.ts";
import { isSamePrincipal } from "../principal-store.ts";
import { findOrgSettings } from "../store.ts";
import type { RecordEnding } from "./ending.ts";
import { closeEnding, findEnding, listPapersOfPerson, lookUpPaperOfPerson, notePaperDownload } from "./ending-store.ts";
import { serveEndingCertificate } from "./serve-ending-certificate.ts";

/** What the recipient of a paper original sees and does. */
export interface PaperForPerson extends RecordEnding {
  readonly org_name: string;
  readonly envelope_name: string;
  /** of the electronic original */
  readonly sha256: string;
}

// More than one person prints; the rest is found by its link.
const MAX_PAPERS = 200;

export async function listPapersFor(deps: Pick<VaultDeps, "db">, { person }: PersonCaller): Promise<PaperForPerson[]> {
  const all = await deps.db.system((tx) => listPapersOfPerson(tx, person.person_id, MAX_PAPERS));
  const papers: PaperForPerson[] = [];
  for (const { org_id, ending_id } of all) papers.push(await readPaper(deps, org_id, ending_id));
  return papers;
}

/** 404 for every person but the recipient. */
export const findPaperFor = async (deps: Pick<VaultDeps, "db">, who: PersonCaller, ending_id: EndingId): Promise<PaperForPerson> =>
  readPaper(deps, await orgOf(deps, who, ending_id), ending_id);

const readPaper = (deps: Pick<VaultDeps, "db">, org: OrgId, ending_id: EndingId): Promise<PaperForPerson> =>
  deps.db.tx(org, async (tx) => {
    const one = await findEnding(tx, org, ending_id);
    const [{ name: org_name }, { envelope_name }] = [await findOrgSettings(tx, org), await findEnvelope(tx, org, one.envelope_id)];
    const { sha256 } = await findCopy(tx, org, one.envelope_id);
    return { ...one, org_name, envelope_name, sha256 };
  });

/** The PDF to print, until the recipient confirms that it is printed. Each download is an entry. */
export async function servePaper(deps: VaultDeps, who: PersonCaller, ending_id: EndingId): Promise<FileAnswer> {
  const org = await orgOf(deps, who, ending_id);
  const one = await deps.db.tx(org, (tx) => findEnding(tx, org, ending_id));
  if (one.state !== "begun") throw closed(one);
  if (one.pdf_sha256 === null) throw new Problem("document_not_ready", "", { retryAfterSeconds: RETRY_AFTER_SECONDS });
  const { envelope_id, pdf_sha256: sha256, copy_id } = one;
  const bytes = await readStored(deps, org, sha256, "document_unavailable");
  await deps.db.tx(org, async (tx) => {
    requireState(await lockCopyById(tx, org, copy_id), "papering");
    await notePaperDownload(tx, org, ending_id);
    const data = { what: "paper", by: who.actor.id, ending_id, sha256 };
    await appendAudit(tx, org, { type: "vault.document.accessed", by: callerIn(org, who), envelope_id, data });
  });
  return { type: "application/pdf", bytes, file_name: `${ending_id}.pdf` };
}

// A job makes it within seconds.
const RETRY_AFTER_SECONDS = 2;

/** The recipient confirms that the paper exists. From then on it is the original, and the electronic record stays as a copy. */
export async function confirmPrinting(deps: VaultDeps, who: PersonCaller, ending_id: EndingId): Promise<PaperForPerson> {
  const org = await orgOf(deps, who, ending_id);
  const caller = callerIn(org, who);
  await deps.db.tx(org, async (tx) => {
    const { copy_id } = await findEnding(tx, org, ending_id);
    const copy = await lockCopyById(tx, org, copy_id);
    const one = await findEnding(tx, org, ending_id);
    if (one.state === "done") return;
    if (one.state !== "begun") throw closed(one);
    if (one.downloaded_at === null) throw new Problem("not_downloaded");
    requireState(copy, "papering");
    await refuseHeld(tx, org, copy);
    refuseProposer(await findAct(tx, org, one.act_id), who);
    const permission_id = await releaseCustodian(tx, org, copy);
    await setCopyState(tx, org, copy, "papered");
    await closeEnding(tx, org, ending_id, { state: "done", at: copy.now });
    const { envelope_id, pdf_sha256 } = one;
    const data = { ending_id, copy_id, permission_id, hash: copy.sha256, pdf_sha256, method: who.person.began_with };
    const type = "vault.papered";
    const { hash } = await appendAudit(tx, org, { type, by: caller, envelope_id, data });
    await enqueue(tx, "vault.evaluate", { org_id: org, envelope_id, cause: { type, hash } });
    await enqueue(tx, "vault.certify-ending", { org_id: org, ending_id });
  });
  return readPaper(deps, org, ending_id);
}

/** No one ends a record alone: another person proposed the paper than the one who prints it. */
function refuseProposer({ principal, principal_email }: ActWithDecisions, { person }: PersonCaller): void {
  if (principal === null || principal_email === null) return;
  const printer = { id: person.person_id, email: person.email.toLowerCase() };
  if (isSamePrincipal({ id: principal, email: principal_email }, printer)) throw new Problem("same_principal");
}

export const closed = ({ state }: RecordEnding): Problem => new Problem("ending_closed", "", { words: { status: state } });

async function orgOf(deps: Pick<VaultDeps, "db">, { person }: PersonCaller, ending_id: EndingId): Promise<OrgId> {
  const org = await deps.db.system((tx) => lookUpPaperOfPerson(tx, person.person_id, ending_id));
  if (org === null) throw new Problem("ending_not_found");
  return org;
}

export const servePaperCertificate = async (deps: VaultDeps, who: PersonCaller, ending_id: EndingId): Promise<FileAnswer> =>
  serveEndingCertificate(deps, await orgOf(deps, who, ending_id), ending_id);
