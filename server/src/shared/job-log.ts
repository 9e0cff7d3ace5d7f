/** Where a job reports what is not a failure of the job itself. */
export interface JobLog {
  warn(data: object, message: string): void;
  error?(data: object, message: string): void;
}
