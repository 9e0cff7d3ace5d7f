import type { FileAnswer } from "../../http/endpoint.ts";
import type { WidgetCaller } from "../../shared/caller.ts";
import { Problem } from "../../shared/problems.ts";
import type { SigningDeps } from "../submission.ts";
import { recipientOf, refuseOtherTask, refuseUnready } from "./ceremony.ts";
import { handOutTo } from "./hand-out.ts";

/** The document to print and sign in ink, for a signer who asked for it, so that the sender knows of every paper. */
export async function handOutPaper(deps: SigningDeps, who: WidgetCaller): Promise<FileAnswer> {
  recipientOf(who);
  return handOutTo(
    deps,
    who,
    (ceremony) => {
      refuseOtherTask(ceremony, ["signer"]);
      refuseUnready(ceremony);
      if (ceremony.you?.paper_requested_at == null) throw new Problem("paper_not_requested");
    },
    () => deps.issuePaper(who),
  );
}
