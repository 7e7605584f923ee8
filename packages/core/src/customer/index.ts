/** Guest records, and the search by name, email address, phone number, or reference. */
export { customerEvents, CustomerStore, CustomerView, customerView } from "./Customer.ts"
export * from "./customerOperations.ts"
export * from "./customerSearch.ts"
