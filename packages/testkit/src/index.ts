/**
 * What every Trailbook adapter must do: contracts, generators, fakes and laws.
 *
 * The rest are modules of their own, which need no test runner: `capacityLaws`
 * for an outfitter's offerings and rules, `ruleControls` for whether those rules
 * say anything, `arbitraries`, `fakes`, and `checkStorage`, the checker as one
 * program.
 */
export * from "./checkStorage.ts"
export * from "./invariants.ts"
export * from "./law/Law.ts"
export * from "./laws.ts"
export * from "./suite.ts"
