/** Outfitters: the store, settings, and operations. */
export * from "./ensureFinalPeriod.ts"
export * from "./orgOperations.ts"
export * from "./Orgs.ts"
export * from "./OrgStore.ts"
export * from "./OrgView.ts"
export * from "./units.ts"
