/** Reports on sales, occupancy, guests, and payments. */
export * from "./reportOperations.ts"
export * from "./reportPeriod.ts"
export * from "./ReportStore.ts"
