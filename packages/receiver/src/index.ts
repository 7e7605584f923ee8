/** Verifies Trailbook webhooks. Runs in every JavaScript runtime with WebCrypto. */
export { verifySignature, verifyWebhook } from "./verifyWebhook.ts"
export type * from "./WebhookEvent.ts"
export { WebhookSignatureError, type WebhookSignatureReason } from "./WebhookSignatureError.ts"
