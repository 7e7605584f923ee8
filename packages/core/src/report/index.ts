/** Reports on sales, occupancy, guests, and payments. */
export * from "./period.ts"
export * from "./reportOperations.ts"
export * from "./ReportStore.ts"
