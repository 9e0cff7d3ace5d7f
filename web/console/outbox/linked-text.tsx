import { ownOrigins } from "../boot.ts";

// Closing punctuation and brackets are not part of the link.
const LINK = /https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]]/g;

/** Plain text in which only links to this installation are clickable. Other URLs may come from anyone and stay text. */
export function LinkedText({ text }: { text: string }) {
  const pieces: { readonly text: string; readonly isLink: boolean }[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(LINK)) {
    pieces.push({ text: text.slice(end, index), isLink: false }, { text: found, isLink: isOwn(found) });
    end = index + found.length;
  }
  pieces.push({ text: text.slice(end), isLink: false });
  return (
    <p class="mail-text">
      {pieces.map((piece, at) =>
        piece.isLink ? (
          <a key={at} href={piece.text} target="_blank" rel="noopener noreferrer">
            {piece.text}
          </a>
        ) : (
          piece.text
        ),
      )}
    </p>
  );
}

const isOwn = (link: string): boolean => URL.canParse(link) && ownOrigins.includes(new URL(link).origin);
