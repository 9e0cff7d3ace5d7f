/** The text of the preview in the builder. Other languages will have the type of this table. */
export const en = {
  preview: "Preview",
  noFields: "Place a field first.",
  title: (name: string) => `Preview as ${name}`,
  lead: "This is what the person will see. What you enter here is not stored, and nothing can be signed.",
  person: "Person",
  named: (name: string, role: string) => `${name} (${role})`,
  width: "Width",
  wide: "Computer",
  narrow: "Phone",
  frame: "Signing page",
};
