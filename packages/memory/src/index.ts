/** All Trailbook storage ports, backed by one immutable value. */
export * from "./MemoryStorage.ts"
