/** Webhooks: endpoints, deliveries, and the port that sends them. */
export * from "./Deliveries.ts"
export * from "./Webhook.ts"
export * from "./webhookOperations.ts"
