/** Guest records, and the search by name, email address, phone number, or reference. */
export * from "./customerOperations.ts"
export * from "./customerSearch.ts"
export * from "./CustomerStore.ts"
export * from "./CustomerView.ts"
