import type { FieldType } from "../field-type.ts";
import { madeBySigner } from "../parts.ts";

export const initials: FieldType = { ...madeBySigner, type: "initials", size_pt: [70, 36] };
