import { type Read, sql, type Tx } from "../../db/sql.ts";
import type { ActId, EnvelopeId, OrgId, PartyId } from "../../shared/ids.ts";
import { Problem } from "../../shared/problems.ts";
import { type LockedCopy, requireOne } from "../copy.ts";

/** The SQL of what acts leave behind: pledges, shares, confirmed parties, the version of control. */

export interface Pledge {
  readonly party_id: PartyId;
  readonly name: string;
  readonly act_id: ActId;
  readonly since: Date;
}

/** Those that stand. */
export async function listPledges(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<Pledge[]> {
  const { rows } = await read.query<Pledge>(sql`
    select g.party_id, p.name, g.act_id, g.since from pledges g join parties p using (org_id, party_id)
    where g.org_id = ${org} and g.envelope_id = ${envelope_id} and g.released_act_id is null order by g.since, g.act_id`);
  return rows;
}

export async function insertPledge(tx: Tx, org: OrgId, envelope_id: EnvelopeId, pledge: Omit<Pledge, "name">): Promise<void> {
  await tx.query(sql`
    insert into pledges (org_id, envelope_id, party_id, act_id, since)
    values (${org}, ${envelope_id}, ${pledge.party_id}, ${pledge.act_id}, ${pledge.since})`);
}

export async function releasePledge(
  tx: Tx,
  org: OrgId,
  envelope_id: EnvelopeId,
  { party_id, act_id, at }: { readonly party_id: PartyId; readonly act_id: ActId; readonly at: Date },
): Promise<void> {
  const { rowCount } = await tx.query(sql`
    update pledges set released_act_id = ${act_id}, released_at = ${at}
    where org_id = ${org} and envelope_id = ${envelope_id} and party_id = ${party_id} and released_act_id is null`);
  requireOne(rowCount, `${party_id} has no pledge on ${envelope_id}`);
}

export interface Participation {
  readonly party_id: PartyId;
  readonly name: string;
  readonly act_id: ActId;
  readonly share_bp: number;
  readonly since: Date;
}

export async function listParticipations(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<Participation[]> {
  const { rows } = await read.query<Participation>(sql`
    select s.party_id, p.name, s.act_id, s.share_bp, s.since from participations s join parties p using (org_id, party_id)
    where s.org_id = ${org} and s.envelope_id = ${envelope_id} order by s.since, s.act_id`);
  return rows;
}

export async function insertParticipation(
  tx: Tx,
  org: OrgId,
  envelope_id: EnvelopeId,
  { party_id, act_id, share_bp, since }: Omit<Participation, "name">,
): Promise<void> {
  await tx.query(sql`
    insert into participations (org_id, envelope_id, party_id, act_id, share_bp, since)
    values (${org}, ${envelope_id}, ${party_id}, ${act_id}, ${share_bp}, ${since})`);
}

/** Every change of control makes acts that were proposed before it superseded. */
export async function raiseControlVersion(
  tx: Tx,
  org: OrgId,
  { copy_id, control_version }: Pick<LockedCopy, "copy_id" | "control_version">,
): Promise<void> {
  const { rowCount } = await tx.query(sql`
    update authoritative_copies set control_version = control_version + 1
    where org_id = ${org} and copy_id = ${copy_id} and control_version = ${control_version}`);
  if (rowCount !== 1) throw new Problem("control_changed");
}

export async function setController(tx: Tx, org: OrgId, envelope_id: EnvelopeId, party_id: PartyId | null): Promise<void> {
  await tx.query(sql`
    update authoritative_copies set controller_party_id = ${party_id} where org_id = ${org} and envelope_id = ${envelope_id}`);
}
