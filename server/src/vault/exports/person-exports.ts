import { appendAudit } from "../../audit/append-audit.ts";
import { findEnvelope } from "../../envelopes/store.ts";
import type { FileAnswer } from "../../http/endpoint.ts";
import { type Caller, callerIn, type PersonCaller } from "../../shared/caller.ts";
import type { ExportId, OrgId } from "../../shared/ids.ts";
import { Problem } from "../../shared/problems.ts";
import type { VaultDeps } from "../copy.ts";
import { findCopy } from "../copy-store.ts";
import { isSamePrincipal } from "../principal-store.ts";
import { findOrgSettings } from "../store.ts";
import { type Acknowledged, acknowledge, initiatorOf, type MayAcknowledge } from "./acknowledge-export.ts";
import type { VaultExport } from "./export.ts";
import { servePackage } from "./serve-package.ts";
import { findExport, listExportsOfPerson, lookUpExportOfPerson, noteDownload } from "./store.ts";

/** An export as its recipient sees it. */
export interface ExportForRecipient extends VaultExport {
  readonly org_name: string;
  readonly envelope_name: string;
  /** of the authoritative copy */
  readonly sha256: string;
}

// More than one person receives; the rest is found by its link.
const MAX_EXPORTS = 200;

export async function listExportsFor(deps: Pick<VaultDeps, "db">, { person }: PersonCaller): Promise<ExportForRecipient[]> {
  const all = await deps.db.system((tx) => listExportsOfPerson(tx, person.person_id, MAX_EXPORTS));
  const exports: ExportForRecipient[] = [];
  for (const { org_id, export_id } of all) exports.push(await readExport(deps, org_id, export_id));
  return exports;
}

/** 404 for every person but the recipient. */
export const findExportFor = async (deps: Pick<VaultDeps, "db">, who: PersonCaller, export_id: ExportId): Promise<ExportForRecipient> =>
  readExport(deps, await orgOf(deps, who, export_id), export_id);

const readExport = (deps: Pick<VaultDeps, "db">, org: OrgId, export_id: ExportId): Promise<ExportForRecipient> =>
  deps.db.tx(org, async (tx) => {
    const one = await findExport(tx, org, export_id);
    const [{ name: org_name }, { envelope_name }] = [await findOrgSettings(tx, org), await findEnvelope(tx, org, one.envelope_id)];
    const { sha256 } = await findCopy(tx, org, one.envelope_id);
    return { ...one, org_name, envelope_name, sha256 };
  });

/** The recipient downloads the package. Each download is an entry, and the first one lets them acknowledge it. */
export async function servePackageTo(deps: VaultDeps, who: PersonCaller, export_id: ExportId): Promise<FileAnswer> {
  const org = await orgOf(deps, who, export_id);
  return servePackage(deps, callerIn(org, who), export_id, (tx) => noteDownload(tx, org, export_id));
}

/**
 * The recipient takes the original over. 409 without a download: who has not got the package cannot have received the original. A repeated
 * call returns the key again, for as long as we have it, and each time is an entry.
 */
export async function acknowledgeAsRecipient(
  deps: VaultDeps,
  who: PersonCaller,
  export_id: ExportId,
  package_sha256: string,
): Promise<Acknowledged> {
  const org = await orgOf(deps, who, export_id);
  const caller = callerIn(org, who);
  return acknowledge(deps, caller, export_id, package_sha256, mayAcknowledge(caller, who));
}

const mayAcknowledge =
  (caller: Caller, { person }: PersonCaller): MayAcknowledge =>
  async (tx, one) => {
    const { org } = caller;
    const initiator = await initiatorOf(tx, org, one);
    if (initiator !== null && isSamePrincipal(initiator, { id: person.person_id, email: person.email.toLowerCase() })) {
      throw new Problem("same_principal");
    }
    if (one.downloaded_at === null) throw new Problem("not_downloaded");
    if (one.state !== "acknowledged") return;
    if (one.key_enc === null) throw new Problem("export_key_erased");
    const { export_id, envelope_id } = one;
    await appendAudit(tx, org, { type: "vault.export_key_read", by: caller, envelope_id, data: { export_id } });
  };

async function orgOf(deps: Pick<VaultDeps, "db">, { person }: PersonCaller, export_id: ExportId): Promise<OrgId> {
  const org = await deps.db.system((tx) => lookUpExportOfPerson(tx, person.person_id, export_id));
  if (org === null) throw new Problem("export_not_found");
  return org;
}
