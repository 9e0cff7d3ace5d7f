import { sql } from "../db/sql.ts";
import type { OrgDeps } from "./org.ts";

export interface Forgotten {
  readonly sessions: number;
  readonly answers: number;
  readonly quotas: number;
  readonly mail_bodies: number;
}

/** What has had its day: sessions a day after their end, stored answers after 24 hours, unused quotas, mail with dead links. */
export async function cleanUp(deps: OrgDeps): Promise<Forgotten> {
  return deps.db.system(async (tx) => {
    const { rows } = await tx.query<Forgotten>(sql`
      select forget_sessions('1 day')::int as sessions, forget_idempotent_answers('24 hours')::int as answers,
             forget_quotas()::int as quotas, forget_mail_bodies()::int as mail_bodies`);
    return rows[0] ?? { sessions: 0, answers: 0, quotas: 0, mail_bodies: 0 };
  });
}
