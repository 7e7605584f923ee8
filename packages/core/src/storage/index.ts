/** The type of a complete storage adapter, and the port that reports pending work. */
export * from "./Storage.ts"
