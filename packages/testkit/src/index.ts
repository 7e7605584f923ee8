/**
 * Contract tests, generators, fakes, and laws for Trailbook adapters.
 *
 * `runLaws` needs no test runner. The entry point `suite` registers the laws with Vitest, and `checkStorage` is a
 * stand-alone checker.
 */
export * from "./checkStorage.ts"
export * from "./invariants.ts"
export * from "./law/Law.ts"
export * from "./laws.ts"
export { type LawOptions, type LawResult, runLaws } from "./runLaws.ts"
