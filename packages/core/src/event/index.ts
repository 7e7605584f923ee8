/** Events: their types, their order, and subscriptions to them. */
export * from "./ChangeNotifier.ts"
export * from "./Events.ts"
export * from "./Subscriptions.ts"
