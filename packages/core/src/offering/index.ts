/** Offerings: the store, closures, discount codes, and the operations. */
export * from "./closure/Closure.ts"
export * from "./discount/DiscountCode.ts"
export * from "./discount/discountOperations.ts"
export * from "./listSlots.ts"
export * from "./offeringOperations.ts"
export * from "./OfferingStore.ts"
export * from "./OfferingView.ts"
