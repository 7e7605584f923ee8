/** The ports of a storage as a whole, and its pending work. */
export * from "./PendingWork.ts"
export * from "./Storage.ts"
