import type { SigningText } from "@countersign/client/pages";

/** A text of the service, shown word for word because its hash is recorded. Its lines are a heading, paragraphs and numbered points. */
export function Published({ text, label }: { text: SigningText; label: string }) {
  const blocks = text.text.trim().split(/\n+/);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be focusable for the keyboard
    <section class="published" aria-label={label} tabIndex={0} lang={text.locale}>
      {blocks.map((block, index) => (block.startsWith("# ") ? <h2 key={index}>{block.slice(2)}</h2> : <p key={index}>{block}</p>))}
    </section>
  );
}
