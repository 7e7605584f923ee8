/**
 * Fakes of what a booking engine asks outside of itself. Each does what it
 * promises in its own module, and the tests of this package hold it to that, so
 * a test that stands on one does not stand on sand:
 *
 * - `SettableClock`: time stands still until it is set
 * - `Ghostwriter`: a language model that obeys every guest
 * - `Mailbox`: a mailer that keeps what it was given
 * - `Shelf`: files in memory
 * - `Till`: a payment provider without a bank
 * - `Receivers`: webhook receivers without a network
 * - `Strongbox`: secrets that are sealed in name only
 * - `TestIds`: ids, references and handles without chance
 *
 * @example
 * import { Mailbox, SettableClock, TestIds, Till } from "@trailbook/testkit/fakes"
 * import * as Layer from "effect/Layer"
 *
 * const outside = Layer.mergeAll(Till.layer, Mailbox.layer, TestIds.layer(1))
 */
export { FakeDrafter } from "./fake/FakeDrafter.ts"
export { FakeFiles } from "./fake/FakeFiles.ts"
export { FakeMailer } from "./fake/FakeMailer.ts"
export { FakePayments } from "./fake/FakePayments.ts"
export * as Strongbox from "./fake/FakeSecrets.ts"
export { FakeWebhookSender } from "./fake/FakeWebhookSender.ts"
export * as SettableClock from "./fake/SettableClock.ts"
export * as TestIds from "./fake/TestIds.ts"
