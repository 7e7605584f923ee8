/** All Trailbook storage ports in one immutable value. */
export * from "./MemoryStorage.ts"
