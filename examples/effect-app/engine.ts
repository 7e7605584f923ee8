import { OutboxFolder } from "@trailbook/mail"
import * as Config from "effect/Config"
import * as Layer from "effect/Layer"
import { BookingEngine, BookingWorker, OrgActor } from "trailbook/effect"

/** Every Trailbook service, over the database in the environment. */
export const engine = BookingEngine.layerConfig({
  database: Config.withDefault(Config.string("DATABASE"), "sqlite:trips.sqlite")
})

/** This program's outfitter. The account is created if the database does not have one. */
export const outfitter = OrgActor.layer({ name: "Salida River Co.", timezone: "America/Denver" })

/** Runs background jobs. This small program has no mail server, so emails are written to files. */
export const worker = BookingWorker.layerConfig({ publicUrl: Config.string("PUBLIC_URL") }).pipe(
  Layer.provide(OutboxFolder.layerConfig({
    directory: Config.withDefault(Config.string("OUTBOX"), "outbox"),
    from: Config.succeed("trips@example.com")
  }))
)
