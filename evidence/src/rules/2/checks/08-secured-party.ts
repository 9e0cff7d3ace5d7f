import { securedParty as inRules1 } from "../../1/checks/08-secured-party.ts";
import { attested } from "./check.ts";
import { fromRules1 } from "./from-rules-1.ts";

export const securedParty = fromRules1(inRules1, () =>
  attested("The depositor names the secured party; it did not confirm with a credential of its own."),
);
