/** The priority of a waiting job. */
export interface Turn {
  /** a known browser or a logged-in caller; comes before all others */
  readonly known: boolean;
  /** an address group or an organization; the jobs of a group share one turn */
  readonly group: string;
}

/** Known callers first, then round robin by group. */
export class FairQueue<J extends Turn> {
  readonly #known = new Map<string, J[]>();
  readonly #unknown = new Map<string, J[]>();
  length = 0;

  add(job: J): void {
    const groups = job.known ? this.#known : this.#unknown;
    const waiting = groups.get(job.group);
    if (waiting === undefined) groups.set(job.group, [job]);
    else waiting.push(job);
    this.length++;
  }

  take(): J | undefined {
    const groups = this.#known.size > 0 ? this.#known : this.#unknown;
    const [next] = groups;
    if (next === undefined) return undefined;
    const [group, waiting] = next;
    const job = waiting.shift();
    // Moves the group to the end of the round, or removes it if it is empty.
    groups.delete(group);
    if (waiting.length > 0) groups.set(group, waiting);
    this.length--;
    return job;
  }

  /** Removes the newest job of the largest group; of equally large groups, the last in the round. Unknown callers come first. */
  shed(): J | undefined {
    const groups = this.#unknown.size > 0 ? this.#unknown : this.#known;
    let most: [string, J[]] | undefined;
    for (const entry of groups) if (most === undefined || entry[1].length >= most[1].length) most = entry;
    if (most === undefined) return undefined;
    const [group, waiting] = most;
    const job = waiting.pop();
    if (waiting.length === 0) groups.delete(group);
    this.length--;
    return job;
  }
}
