/**
 * Verifies Trailbook's webhooks, in any JavaScript runtime that has WebCrypto.
 */
export { verifySignature } from "./verifySignature.ts"
export { verifyWebhook } from "./verifyWebhook.ts"
export type * from "./WebhookEvent.ts"
export { WebhookSignatureError, type WebhookSignatureReason } from "./WebhookSignatureError.ts"
