/**
 * Fakes for a booking engine's external services. Each fake documents its guarantees, which this package's tests
 * verify:
 *
 * - `SettableClock`: a clock that moves only when it is set
 * - `FakeDrafter`: a language model that obeys every guest
 * - `FakeMailer`: a mailer that records messages
 * - `FakeFiles`: in-memory files
 * - `FakePayments`: a payment provider with no bank behind it
 * - `FakeWebhookSender`: a webhook sender that records deliveries
 * - `FakeSecrets`: secrets without encryption
 * - `TestIds`: deterministic IDs, references, and handles
 *
 * @example
 * import { FakeMailer, FakePayments, TestIds } from "@trailbook/testkit/fakes"
 * import * as Layer from "effect/Layer"
 *
 * const external = Layer.mergeAll(FakePayments.layer, FakeMailer.layer, TestIds.layer(1))
 */
export { FakeDrafter } from "./fake/FakeDrafter.ts"
export { FakeFiles } from "./fake/FakeFiles.ts"
export { FakeMailer } from "./fake/FakeMailer.ts"
export { FakePayments } from "./fake/FakePayments.ts"
export * as FakeSecrets from "./fake/FakeSecrets.ts"
export { FakeWebhookSender } from "./fake/FakeWebhookSender.ts"
export * as SettableClock from "./fake/SettableClock.ts"
export * as TestIds from "./fake/TestIds.ts"
