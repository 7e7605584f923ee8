/**
 * What every kind of task does.
 */
import * as Effect from "effect/Effect"
import type { Handlers } from "../task/Handler.ts"
import { Tasks } from "../task/Tasks.ts"
import { bookingMails } from "./bookingMails.ts"
import { refunds } from "./refunds.ts"

/**
 * @category models
 */
export interface Options {
  /** Where guests reach the service, without a slash at its end. Links in mails begin with it. */
  readonly publicUrl: string
}

/**
 * @category constructors
 */
export const make = ({ publicUrl }: Options) =>
  Effect.gen(function*() {
    const bookingMail = yield* bookingMails(publicUrl)
    return {
      "mail.held": bookingMail,
      "mail.confirmed": bookingMail,
      "mail.moved": bookingMail,
      "mail.cancelled": bookingMail,
      refund: yield* refunds
    } satisfies Handlers
  })

/**
 * `Tasks` with these handlers.
 *
 * @category layers
 */
export const layer = (options: Options) => Tasks.layer(make(options))
