/** Jobs that run in steps and continue after a restart. */
export * from "./ResumableJobStore.ts"
