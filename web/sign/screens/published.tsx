import type { SigningText } from "@countersign/client/pages";

/** A text of the service's, word for word: what is recorded is the hash of exactly this. Its lines are a heading, paragraphs and numbered points. */
export function Published({ text, label }: { text: SigningText; label: string }) {
  const blocks = text.text.trim().split(/\n+/);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and those without a mouse must be able to scroll it
    <section class="published" aria-label={label} tabIndex={0} lang={text.locale}>
      {blocks.map((block, index) => (block.startsWith("# ") ? <h2 key={index}>{block.slice(2)}</h2> : <p key={index}>{block}</p>))}
    </section>
  );
}
