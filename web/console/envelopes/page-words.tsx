import { useEffect, useState } from "preact/hooks";
import { PageTexts } from "../../pages/page-texts.ts";
import { call } from "../api.ts";
import { en as words } from "../words/pages/en.ts";

/** The pages of a document as text. */
export function PageWords({ envelope_id, count }: { readonly envelope_id: string; readonly count: number }) {
  const [texts] = useState(
    () => new PageTexts(count, (page) => call("get_envelope_page_text", { params: { envelope_id, page }, query: { version: "current" } })),
  );
  useEffect(() => texts.fetchInTurn([]), []);
  return (
    <>
      {Array.from({ length: count }, (_, index) => (
        <PageText key={index} page={index + 1} texts={texts} />
      ))}
    </>
  );
}

function PageText({ page, texts }: { page: number; texts: PageTexts }) {
  const text = texts.of(page)?.value;
  return (
    <section class="envelope-words stack tight" aria-label={words.page(page)}>
      <h3>{words.page(page)}</h3>
      {text?.kind !== "ready" ? (
        <p class="quiet">{words.loading}</p>
      ) : text.has_text ? (
        text.blocks.map((block, index) => <p key={index}>{block}</p>)
      ) : (
        <p class="quiet">{words.imageOnly}</p>
      )}
    </section>
  );
}
