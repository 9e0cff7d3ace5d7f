import { AnchorFault, type AnchorFaultDetail } from "@countersign/pdf/pool";
import { asPdfProblem } from "../documents/pdf-problems.ts";
import { type Detail, type DetailCode, Problem, type ProblemCode } from "../shared/problems.ts";
import { fieldOfAnchor, type Named, type Place } from "./resolve-fields.ts";

/** Turns anchor errors of the engine into problems that name each anchor by its place in the request. */
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
      return said(".anchor_text", "not_found", "does not occur in the text of the document");
    case "occurrence_out_of_range":
      return said(".occurrence", "out_of_range", `the text occurs ${matches} ${matches === 1 ? "time" : "times"}`);
    case "area_outside_page":
      return said("", "out_of_range", "is outside the page");
    case "out_of_range":
      return said(".page", "out_of_range", "is not a page of the document");
  }
}
