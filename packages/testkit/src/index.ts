/**
 * Contract tests, generators, fakes, and laws for Trailbook adapters.
 *
 * The other entry points need no test runner: `capacityLaws` for an outfitter's offerings and rules, `ruleControls` to
 * verify that those rules can fail, `arbitraries`, `fakes`, and `checkStorage`, a stand-alone checker.
 */
export * from "./checkStorage.ts"
export * from "./invariants.ts"
export * from "./law/Law.ts"
export * from "./laws.ts"
export * from "./suite.ts"
