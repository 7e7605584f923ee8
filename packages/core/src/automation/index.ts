/** The ops agent: rules that propose changes, such as a cancellation because of bad weather. */
export * from "./Action.ts"
export * from "./Automation.ts"
export * from "./automationOperations.ts"
export * from "./formatConditions.ts"
