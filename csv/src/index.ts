export { BrokenCsv, RowReader } from "./row-reader.ts";
export { rowsOf } from "./rows-of.ts";
export { writeCsv } from "./write-csv.ts";
