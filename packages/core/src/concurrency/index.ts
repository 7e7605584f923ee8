/** Functions that control how queries and long computations run concurrently. */
export * from "./queryAll.ts"
export * from "./yieldToEventLoop.ts"
