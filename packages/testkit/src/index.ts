/**
 * What every Trailbook adapter must do: contracts, generators, fakes and laws.
 *
 * @since 0.1.0
 */
export * from "./suite.ts"
