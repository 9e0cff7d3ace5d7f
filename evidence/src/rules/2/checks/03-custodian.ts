import { custodian as inRules1 } from "../../1/checks/03-custodian.ts";
import { attested } from "./check.ts";
import { fromRules1 } from "./from-rules-1.ts";

export const custodian = fromRules1(inRules1, () =>
  attested("The depositing organization designated the custodian; no designation by the secured party is recorded."),
);
