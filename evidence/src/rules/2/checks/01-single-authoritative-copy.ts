import { singleAuthoritativeCopy as inRules1 } from "../../1/checks/01-single-authoritative-copy.ts";
import { attested } from "./check.ts";
import { fromRules1 } from "./from-rules-1.ts";

const REASONS = {
  signed_here: "Only the live copies of this organization were compared, by the hash of their content.",
  electronic_signed: "The depositor states what became of the copy at the issuing system.",
  paper_upload: "The depositor states what became of the paper original.",
} as const;

export const singleAuthoritativeCopy = fromRules1(inRules1, ({ source }) => attested(REASONS[source]));
