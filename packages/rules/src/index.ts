/**
 * Property tests of an outfitter's offerings and rules: `capacityLaws` runs the tests, and `ruleControls` verifies that
 * each rule can fail.
 */
export * from "./capacityLaws.ts"
export * from "./ruleControls.ts"
