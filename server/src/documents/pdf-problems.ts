import { type Kind, NotAPdf, NotDrawable, NotWritten, TagFault, UnreadablePdf } from "@countersign/pdf/pool";
import { noRoom } from "../http/form.ts";
import { type Detail, Problem, type ProblemCode } from "../shared/problems.ts";

/** Turns errors of the PDF engine into API problems. Other errors are thrown unchanged. */

const unreadable = {
  unparseable: "pdf_unreadable",
  encrypted: "pdf_encrypted",
  restricted: "pdf_restricted",
  too_complex: "pdf_too_complex",
  dynamic_xfa: "pdf_dynamic_xfa",
  content_lost: "pdf_content_lost",
} as const satisfies Record<UnreadablePdf["fault"], ProblemCode>;

/** What an endpoint that reads a PDF can answer about it. */
export const pdfProblems = [...Object.values(unreadable), "pdf_not_drawable", "pdf_busy"] as const;

/** For `catch`: turns errors of the engine into problems. */
export function asPdfProblem(error: unknown): never {
  if (error instanceof NotWritten) throw noRoom(error);
  if (error instanceof NotAPdf) throw new Problem("not_a_pdf", "", { cause: error });
  if (error instanceof UnreadablePdf) {
    throw new Problem(unreadable[error.fault], error.message, { words: { limit: error.limit ?? "" }, cause: error });
  }
  if (error instanceof NotDrawable) {
    const details = error.details.map(
      (part): Detail => ({ location: "form", field: "file", code: "pdf_not_drawable", message: sentenceOf(part) }),
    );
    const [first] = error.details;
    throw new Problem("pdf_not_drawable", error.message, {
      words: { part: first === undefined ? "A part of the PDF" : partOf(first) },
      details,
    });
  }
  if (error instanceof TagFault) {
    const details = error.details.map(({ code, message }): Detail => ({ location: "form", field: "file", code, message }));
    throw new Problem("tags_invalid", `${details.length} faults`, { details });
  }
  throw error;
}

function partOf({ kind, name, page }: NotDrawable["details"][number]): string {
  if (kind === "annotation") return `The ${name} annotation on page ${page}`;
  return name === "" ? `An unnamed form field on page ${page}` : `The form field "${name}" on page ${page}`;
}

const sentenceOf = (part: NotDrawable["details"][number]): string => `${partOf(part)} cannot be drawn: ${part.reason}`;

/** The same for a file that can be an image. */
export function asDocumentProblem(kind: Kind | null): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof UnreadablePdf) || kind === "pdf") return asPdfProblem(error);
    const code = error.fault === "too_complex" ? "image_too_large" : "image_unreadable";
    throw new Problem(code, error.message, { words: { limit: error.limit ?? "" }, cause: error });
  };
}
