import type { FieldType } from "../field-type.ts";
import { madeBySigner } from "../parts.ts";

export const signature: FieldType = { ...madeBySigner, type: "signature", size_pt: [180, 44] };
