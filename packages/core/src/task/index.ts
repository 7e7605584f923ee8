/** The task queue: the store and the retry schedule. */
export * from "./retryPolicy.ts"
export * from "./Tasks.ts"
export * from "./TaskStore.ts"
