import type { Tool } from "../tool.ts";
import { createDraft } from "./create-draft.ts";
import { discardDraft } from "./discard-draft.ts";
import { explainError } from "./explain-error.ts";
import { findCustomer } from "./find-customer.ts";
import { getCompliance } from "./get-compliance.ts";
import { getEnvelope } from "./get-envelope.ts";
import { listEnvelopes } from "./list-envelopes.ts";
import { listTemplates } from "./list-templates.ts";
import { placeFields } from "./place-fields.ts";
import { requestSend } from "./request-send.ts";
import { updateDraft } from "./update-draft.ts";
import { uploadDocument } from "./upload-document.ts";

/** Everything that an agent can do. None sends, signs, or shows a link that signs. */
export const tools: readonly Tool[] = [
  findCustomer,
  listTemplates,
  listEnvelopes,
  getEnvelope,
  getCompliance,
  explainError,
  createDraft,
  updateDraft,
  uploadDocument,
  placeFields,
  discardDraft,
  requestSend,
];
