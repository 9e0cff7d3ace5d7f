import type { UpdateEnvelopeRequest } from "@countersign/client/types";
import { z } from "zod";
import { choices } from "./inputs.ts";

const Choices = z.strictObject(choices);

type Draft = Pick<
  UpdateEnvelopeRequest,
  | "recipients"
  | "prefilled_data"
  | "message"
  | "mail_subject"
  | "signing_order"
  | "expires_in_days"
  | "reminders"
  | "auto_vault_enabled"
  | "tags"
> & { readonly external_id?: string | undefined };

/** What a tool was given, as the API takes it. */
export function draftOf({ remind_every_days, ...others }: z.infer<typeof Choices>): Draft {
  if (remind_every_days === undefined) return others;
  return { ...others, reminders: remind_every_days === null ? null : { every_days: remind_every_days } };
}
