/** Functions that control how queries and long computations run concurrently. */
export * from "./scheduler.ts"
