import type { FieldType } from "../field-type.ts";
import { oneOfOptions } from "../parts.ts";

export const radio: FieldType = { ...oneOfOptions, type: "radio", draw: "disc", control: "radio", size_pt: [16, 16] };
