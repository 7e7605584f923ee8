import { OutboxFolder } from "@trailbook/mail"
import * as Config from "effect/Config"

/** The `Mailer` of a worker, `BookingWorker.layer` or one of your own. */
export const mailer = OutboxFolder.layerConfig({
  directory: Config.string("OUTBOX"),
  from: Config.succeed("bookings@example.com")
})
