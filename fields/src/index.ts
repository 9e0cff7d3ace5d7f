export type { Control, Drawing, Fault, FieldType, GivenSettings, Origin, SettingFault, Settings, TextFormat } from "./field-type.ts";
export { type PrintLanguage, printed, printLanguages } from "./print-value.ts";
export { type FieldTypeName, fieldTypeNames, fieldTypes, typesFrom } from "./types.ts";
