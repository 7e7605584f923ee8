import { OutboxFolder } from "@trailbook/mail"
import * as Config from "effect/Config"
import * as Layer from "effect/Layer"
import { BookingEngine, BookingWorker, OrgActor } from "trailbook/effect"

/** Every service of Trailbook, over the database that the environment names. */
export const engine = BookingEngine.layerConfig({
  database: Config.withDefault(Config.string("DATABASE"), "sqlite:trips.sqlite")
})

/** Whose program this is. The account is opened in a database that has none. */
export const outfitter = OrgActor.layer({ name: "Salida River Co.", timezone: "America/Denver" })

/** What runs by itself. This small program has no mail server: its mails are files. */
export const worker = BookingWorker.layerConfig({ publicUrl: Config.string("PUBLIC_URL") }).pipe(
  Layer.provide(OutboxFolder.layerConfig({
    directory: Config.withDefault(Config.string("OUTBOX"), "outbox"),
    from: Config.succeed("trips@example.com")
  }))
)
