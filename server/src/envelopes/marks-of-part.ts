import type { Area, Mark } from "@countersign/pdf/pool";
import type { SentPart } from "../signing/submission.ts";

/** The marks of one document of several, with its own page numbers. The document then carries nothing of the others. */
export function marksOfPart(marks: readonly Mark[], { first_page, pages }: Pick<SentPart, "first_page" | "pages">): Mark[] {
  const isHere = ({ page }: Area): boolean => page >= first_page && page < first_page + pages;
  const moved = (area: Area): Area => ({ ...area, page: area.page - first_page + 1 });
  return marks.flatMap((mark): Mark[] => {
    const areas = mark.areas.filter(isHere).map(moved);
    if (areas.length === 0) return [];
    // The places of radio buttons stand for their options. If some are in another document, only the chosen one is drawn here.
    if (mark.kind !== "disc" || mark.areas.length !== mark.options.length || areas.length === mark.areas.length)
      return [{ ...mark, areas }];
    const chosen = mark.value === null ? undefined : mark.areas[mark.options.indexOf(mark.value)];
    if (chosen === undefined || !isHere(chosen) || mark.value === null) return [];
    return [{ ...mark, areas: [moved(chosen)], options: [mark.value] }];
  });
}
