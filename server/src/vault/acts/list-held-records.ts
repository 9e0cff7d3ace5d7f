import { findEnvelope } from "../../envelopes/store.ts";
import type { PersonCaller } from "../../shared/caller.ts";
import { listAudited } from "../audits/list-audited.ts";
import type { CopyState, VaultDeps } from "../copy.ts";
import { findCopy } from "../copy-store.ts";
import { findParty } from "../parties/store.ts";
import { findOrgSettings, lookUpCertificate, type Standing } from "../store.ts";
import { type HeldRecord, listRecordsOfPerson } from "./person-store.ts";

/** A record in which one of the person's parties holds something. */
export interface RecordOfPerson extends HeldRecord {
  readonly org_name: string;
  readonly party_name: string;
  readonly envelope_name: string;
  readonly state: CopyState;
  readonly sha256: string;
  readonly stored_at: Date;
  readonly standing: Standing | null;
}

const MAX_RECORDS = 500;

export async function listHeldRecords(deps: Pick<VaultDeps, "db">, who: PersonCaller): Promise<RecordOfPerson[]> {
  const { person } = who;
  const held = await deps.db.system((tx) => listRecordsOfPerson(tx, person.person_id, MAX_RECORDS));
  const audited = await listAudited(deps, who, MAX_RECORDS - held.length);
  const records: RecordOfPerson[] = [];
  for (const one of [...held, ...audited]) records.push(await recordOf(deps, one));
  return records;
}

function recordOf(deps: Pick<VaultDeps, "db">, held: HeldRecord): Promise<RecordOfPerson> {
  const { org_id: org, envelope_id, party_id } = held;
  return deps.db.tx(org, async (tx) => {
    const { state, sha256, stored_at } = await findCopy(tx, org, envelope_id);
    const [{ name: org_name }, { name: party_name }] = [await findOrgSettings(tx, org), await findParty(tx, org, party_id)];
    const { envelope_name } = await findEnvelope(tx, org, envelope_id);
    const standing = (await lookUpCertificate(tx, org, envelope_id))?.standing ?? null;
    return { ...held, org_name, party_name, envelope_name, state, sha256, stored_at, standing };
  });
}
