/** Outfitters: the store, settings, and operations. */
export * from "./orgOperations.ts"
export * from "./Orgs.ts"
export * from "./OrgView.ts"
export * from "./units.ts"
