/**
 * What every Trailbook adapter must do: contracts, generators, fakes and laws.
 *
 * Generators, fakes and the parts of the checker are modules of their own,
 * `@trailbook/testkit/fake/TestIds` and so on.
 *
 * @since 0.1.0
 */
export * from "./invariants.ts"
export * from "./law/Law.ts"
export * from "./laws.ts"
export * from "./suite.ts"
