/** The groups of field types in the builder. A table of another language must have the same members. */
export const en = {
  groups: { signing: "Signing", filledIn: "To fill in", fixed: "Not filled in" },
};
