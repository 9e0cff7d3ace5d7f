const narrow = (isMore: boolean): string => (isMore ? " Narrow your search to see the others." : "");

/** The words of tables and of their pages. A table of another language must have the same members. */
export const en = {
  actions: "Actions",
  sort: (head: string) => `Sort by ${head.toLowerCase()}`,
  selectAll: "Select all on this page",
  select: (name: string) => `Select ${name}`,
  pages: "Pages",
  /** `isMore`: there are more rows than were counted */
  empty: (page: number, total: string, isMore: boolean) => `Page ${page} is empty. ${total} in total${narrow(isMore)}`,
  rows: (first: string, last: string, total: string, isMore: boolean) =>
    `${first === last ? first : `${first}–${last}`} of ${isMore ? "more than " : ""}${total}${narrow(isMore)}`,
  previous: "Previous",
  next: "Next",
};
