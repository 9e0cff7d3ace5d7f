import type { FieldType } from "@countersign/client/types";

const fields = (count: number): string => (count === 1 ? "1 field" : `${count} fields`);

/** The words of the field builder, without the panels that are loaded later. A table of another language must have the same members. */
export const en = {
  types: {
    signature: "Signature",
    initials: "Initials",
    text: "Text",
    date: "Date",
    checkbox: "Checkbox",
    number: "Number",
    select: "Dropdown",
    radio: "Radio buttons",
    label: "Fixed text",
  } satisfies Record<FieldType, string>,
  firstChoices: ["First choice", "Second choice"],
  fields,

  noDocument: "No document yet. Its pages appear here after the upload.",
  label: "Fields on the pages",
  onPage: (page: number) => `Fields on page ${page}`,
  keys: "Arrow keys move the field. Hold Shift to move it further, or Alt to resize it. Delete removes it. Shift and Enter select several fields.",

  add: "Add a field",
  newFor: "New fields are for",
  byText: "Place next to text",
  undo: "Undo",
  redo: "Redo",
  preview: "Preview",
  noFields: "Place a field first.",
  save: "Save",
  armed: "Click the page where the field goes. Press Esc to cancel.",
  errors: (count: number) => `Not saved: ${count === 1 ? "1 field has an error" : `${count} fields have errors`}`,
  saving: "Saving…",
  saved: (count: number) => `${fields(count)}, saved`,
  unsaved: "Not saved yet",
  refused: "Not saved",
  notAllowed: "Your last changes to the fields are not saved. They stay here until you leave this page.",
  failed: "Not saved: try again",
  changed: "Not saved. These fields were changed in another window or by another person.",
  load: "Load that version",

  leaving: "Your last changes could not be saved.",
  leave: "Try again and leave",
  discard: "Discard changes",

  nothingSelected: "Select a field to see its settings.",
  help: "How it works",
  place: "Place fields",
  byPointer:
    "Drag a field onto the page, or select it and click where it goes. With the keyboard, press Enter on a field to place it in the middle of the page.",
  byKeys: "Arrow keys move a field, Shift moves it further, Alt resizes it. Hold Ctrl to ignore guides while you drag.",

  roles: "Roles",
  firstRole: (role: string) => `The first field adds the role ${role}.`,
  newRole: "New role",
  addRole: "Add",
  roleAdded: (role: string) => `Role ${role} added`,
  rename: "Rename",
  renameOne: (role: string) => `Rename ${role}`,
  newName: (role: string) => `New name for ${role}`,
  renamed: (from: string, to: string) => `Role ${from} is now ${to}`,
  selectAll: (count: number, role: string) => `Select ${fields(count)} of ${role}`,
  allSelected: (role: string) => `All fields of ${role} selected`,

  /** for screen readers */
  noSigner: "of no signer",
  firstSigner: "first signer",
  box: (name: string, type: string, role: string, place: string, isWrong: boolean) =>
    `${name}, ${type}, ${role}, ${place}${isWrong ? ", has an error" : ""}`,
  position: (page: number, left: number, top: number) => `page ${page}, ${left}% from the left, ${top}% from the top`,
  size: (wide: number, high: number) => `${wide}% wide, ${high}% high`,
  placed: (name: string, place: string, count: number) =>
    count === 1 ? `${name}, ${place}` : `${count} fields, the first: ${name}, ${place}`,
  besidePage: (count: number) => `, ${fields(count)}`,
  undone: "Undone",
  redone: "Redone",
  cancelled: "Move cancelled",
  copied: (count: number) => `${fields(count)} copied`,
  removed: (count: number) => `${fields(count)} removed`,
  selected: (count: number, page: number) => `${fields(count)} on page ${page} selected`,
};
