import { AnchorFault, type AnchorFaultDetail, type Kind, NotAPdf, NotWritten, TagFault, UnreadablePdf } from "@countersign/pdf/pool";
import { noRoom } from "../http/form.ts";
import { type Detail, type DetailCode, Problem, type ProblemCode } from "../shared/problems.ts";
import { fieldOfAnchor, type Named, type Place } from "./resolve-fields.ts";

/** What the PDF engine says of a file, in the words of the API. Everything else that is thrown is none of its business. */

const unreadable = {
  unparseable: "pdf_unreadable",
  encrypted: "pdf_encrypted",
  too_complex: "pdf_too_complex",
  dynamic_xfa: "pdf_dynamic_xfa",
} as const satisfies Record<UnreadablePdf["fault"], ProblemCode>;

/** Turns the engine's faults into problems; to be given to `catch`. */
export function asPdfProblem(error: unknown): never {
  if (error instanceof NotWritten) throw noRoom(error);
  if (error instanceof NotAPdf) throw new Problem("not_a_pdf", "", { cause: error });
  if (error instanceof UnreadablePdf) {
    throw new Problem(unreadable[error.fault], error.message, { words: { limit: error.limit ?? "" }, cause: error });
  }
  if (error instanceof TagFault) {
    const details = error.details.map(({ code, message }): Detail => ({ location: "form", field: "file", code, message }));
    throw new Problem("tags_invalid", `${details.length} faults`, { details });
  }
  throw error;
}

/** The same for a file that may be an image. */
export function asDocumentProblem(kind: Kind | null): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof UnreadablePdf) || kind === "pdf") return asPdfProblem(error);
    const code = error.fault === "too_complex" ? "image_too_large" : "image_unreadable";
    throw new Problem(code, error.message, { words: { limit: error.limit ?? "" }, cause: error });
  };
}

/** The same for a call that placed fields against anchors, each of which is named by its place in the request. */
export function asPlacementProblem(wanted: readonly Named[], place: Place): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof AnchorFault)) return asPdfProblem(error);
    const details = error.details.map((detail) =>
      anchorDetail(detail, `${place.list}[${fieldOfAnchor(wanted, detail.field)}].placement`, place),
    );
    const worst = error.details[0]?.fault ?? "anchor_not_found";
    throw new Problem(anchorProblems[worst], `${details.length} anchors`, { details });
  };
}

const anchorProblems = {
  anchor_not_found: "anchor_not_found",
  occurrence_out_of_range: "occurrence_out_of_range",
  area_outside_page: "area_outside_page",
  out_of_range: "page_out_of_range",
} as const satisfies Record<AnchorFaultDetail["fault"], ProblemCode>;

function anchorDetail({ fault, matches = 0 }: AnchorFaultDetail, placement: string, { location }: Place): Detail {
  const said = (name: string, code: DetailCode, message: string): Detail => ({ location, field: `${placement}${name}`, code, message });
  switch (fault) {
    case "anchor_not_found":
      return said(".anchor_text", "not_found", "is not in the text of the document");
    case "occurrence_out_of_range":
      return said(".occurrence", "out_of_range", `the text occurs ${matches} ${matches === 1 ? "time" : "times"}`);
    case "area_outside_page":
      return said("", "out_of_range", "is outside the page");
    case "out_of_range":
      return said(".page", "out_of_range", "the document has no such page");
  }
}
