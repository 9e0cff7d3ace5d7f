import { decrypt } from "../src/shared/secrets.ts";
import type { TestService } from "./service.ts";

export interface QueuedMail {
  readonly org_id: string | null;
  readonly subject: string;
  readonly text: string;
}

/** Mail of one kind to an address in the outbox, oldest first. */
export async function mailTo(service: TestService, email: string, kind: string): Promise<QueuedMail[]> {
  const rows = await service.database.owner(
    "select org_id, body_context, body_enc from mail_messages where kind = $1 and to_address = $2 order by mail_id",
    [kind, email],
  );
  return rows.map(({ org_id, body_context, body_enc }) => {
    const { subject, text } = JSON.parse(decrypt(service.features.orgs.keys.mail, body_enc, body_context));
    return { org_id, subject, text };
  });
}

/** The token of the link in a mail. */
export const tokenIn = ({ text }: Pick<QueuedMail, "text">): string => /#token=([\w-]+)/.exec(text)?.[1] ?? "";
