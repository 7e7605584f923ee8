/** The queue of tasks: the store and the times of retries. */
export * from "./retryPolicy.ts"
export * from "./Tasks.ts"
export * from "./TaskStore.ts"
