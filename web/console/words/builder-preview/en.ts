/** The words of the preview in the builder. A table of another language must have the same members. */
export const en = {
  title: (name: string) => `Preview as ${name}`,
  lead: "This is what the person would see if you sent it now. What you enter here is not stored, and nothing can be signed.",
  person: "Person",
  named: (name: string, role: string) => `${name} (${role})`,
  width: "Width",
  wide: "Computer",
  narrow: "Phone",
  frame: "Signing page",
};
