import { canonicalize } from "@countersign/evidence";
import { Type } from "typebox";
import type { PublicAnswer } from "../../http/add-public-answer.ts";
import { Sha256 } from "../../http/shapes.ts";
import type { Shell } from "../../http/web-pages.ts";
import type { PipelineDeps } from "../vault.ts";
import { readStatus } from "./read-status.ts";
import { signStatus } from "./sign-status.ts";

// Enough for a person with a stack of certificates; the codes cannot be guessed at any rate.
const LIMIT = { subject: "status", requestsPerMinute: 60 };

/** The public page of a record. A code that names none gives the same bytes, whatever it is. */
export const statusShell = (deps: PipelineDeps): Shell => ({
  path: "/v/:code",
  site: "console",
  page: "status/index.html",
  limit: LIMIT,
  open: async (code) => {
    const status = await readStatus(deps, code, null);
    return { framedBy: [], boot: { status }, isMissing: status === null };
  },
});

const StatusQuery = Type.Object({ file: Type.Optional(Sha256) });

/** The same for programs, signed. */
export const statusAnswer = (deps: PipelineDeps): PublicAnswer<typeof StatusQuery> => ({
  path: "/v/:code.json",
  limit: LIMIT,
  query: StatusQuery,
  answer: async (code, { file = null }) => {
    const signed = await signStatus(deps, code, file);
    return signed === null ? null : canonicalize(signed);
  },
});
