/**
 * All Trailbook storage ports in one immutable value.
 *
 * @since 0.1.0
 */
export * from "./MemoryStorage.ts"
