/** One page of a list. `page` starts at 1, and `limit` is already limited to the list's maximum. */
export interface PageRequest {
  readonly page: number;
  readonly limit: number;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** the number of items in the whole list */
  readonly total: number;
  /** true: counting stopped at `total`, and there are more */
  readonly total_capped?: boolean;
}
