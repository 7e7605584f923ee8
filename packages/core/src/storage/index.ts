/** All storage ports together, and the pending work. */
export * from "./PendingWork.ts"
export * from "./Storage.ts"
