import { textDocument } from "@countersign/evidence";
import { asPdfProblem } from "../../documents/pdf-problems.ts";
import type { FileAnswer } from "../../http/endpoint.ts";
import type { WidgetCaller } from "../../shared/caller.ts";
import { currentText } from "../../texts/current-texts.ts";
import { listTexts } from "../../texts/store.ts";
import type { SigningDeps } from "../submission.ts";
import { look } from "./ceremony.ts";
import { lookUpAcceptedDisclosure } from "./store.ts";

/** The disclosure as a PDF to keep: the text that the signer accepted; before that, and for viewers, the current one in their language. */
export async function handOutDisclosure(deps: SigningDeps, who: WidgetCaller, lang: string | undefined): Promise<FileAnswer> {
  const { org, holder } = who;
  const accepted = await deps.db.tx(org, async (tx) => {
    await look(deps, tx, who);
    const hash = holder.slug === null ? null : await lookUpAcceptedDisclosure(tx, org, holder.slug);
    return hash === null ? null : ((await listTexts(tx, [hash]))[0] ?? null);
  });
  const text = accepted ?? currentText(deps.texts, "disclosure", lang);
  const { bytes } = await deps.pdf.typeset(textDocument(text), { key: org, priority: "interactive" }).catch(asPdfProblem);
  return { type: "application/pdf", bytes, file_name: `disclosure-${text.version}-${text.locale}.pdf` };
}
