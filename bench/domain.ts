/**
 * The engine of a server under measurement: the engine of `trailbook serve`, the same engine without group commit (for
 * all writes or only for changes), or the plain six-statement implementation.
 */
import { ApiKeys, VisitorAccess } from "@trailbook/core/actor"
import { AssistantCalls } from "@trailbook/core/assistant"
import { availabilityHandlers, availabilityOperations } from "@trailbook/core/availability"
import { Availability } from "@trailbook/core/availability/Availability"
import { NextAvailability } from "@trailbook/core/availability/NextAvailability"
import { type BatchOptions, bookingHandlers, bookingOperations, Bookings, BookingWriter } from "@trailbook/core/booking"
import { Cancellations } from "@trailbook/core/booking/cancellation/Cancellations"
import { Photos } from "@trailbook/core/file"
import { offeringHandlers, offeringOperations } from "@trailbook/core/offering"
import { Discounts } from "@trailbook/core/offering/discount/Discounts"
import { Offerings } from "@trailbook/core/offering/Offerings"
import * as Registry from "@trailbook/core/operation/Registry"
import { Orgs } from "@trailbook/core/org"
import { Checkouts, Payments } from "@trailbook/core/payment"
import { OfferingChanges } from "@trailbook/core/session/OfferingChanges"
import { ApiKeyNetworks, AuditLog } from "@trailbook/core/staff"
import { engineLayer } from "@trailbook/runtime/engineLayer"
import { loadAdapter } from "@trailbook/runtime/loadAdapter"
import * as NodeIds from "@trailbook/runtime/NodeIds"
import { type DatabaseUrl, databaseUrl } from "@trailbook/runtime/setting/databaseUrl"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as PlainDesk from "./sixStatements.ts"

const variants = ["grouped", "changesAlone", "direct", "plain"] as const
export type Variant = (typeof variants)[number]
export const isVariant = (name: string): name is Variant => variants.some((variant) => variant === name)

/** Batches bookings, but runs every booking change in a separate transaction. */
const makeUnbatchedChanges = (options: BatchOptions) =>
  Layer.scoped(
    BookingWriter,
    Effect.gen(function*() {
      const { create } = Context.get(yield* Layer.build(BookingWriter.layer(options)), BookingWriter)
      const { update } = Context.get(yield* Layer.build(BookingWriter.layer("none")), BookingWriter)
      return BookingWriter.of({ create, update })
    })
  )

/** Returns the measured operations, with the same handlers but a different booking writer. */
const makeRegistry = <E, R>(variant: Layer.Layer<BookingWriter, E, R>) =>
  Registry.layer(
    [...offeringOperations, ...availabilityOperations, ...bookingOperations] as const,
    Effect.map(
      Effect.all([offeringHandlers, availabilityHandlers, bookingHandlers]),
      ([offering, availability, booking]) => ({ ...offering, ...availability, ...booking })
    )
  ).pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        Layer.provideMerge(NextAvailability.layer, Availability.layer),
        Layer.provideMerge(Bookings.layer, Checkouts.layer),
        Cancellations.layer
      )
    ),
    Layer.provideMerge(
      Layer.mergeAll(
        ApiKeys.layer,
        AssistantCalls.layer,
        Layer.provide(ApiKeyNetworks.layer, AuditLog.layer),
        Discounts.layer,
        Offerings.layer,
        Layer.provideMerge(Layer.provide(Photos.layer, AuditLog.layer), Orgs.layer),
        OfferingChanges.layer,
        VisitorAccess.layer,
        variant
      )
    ),
    Layer.provideMerge(Layer.merge(NodeIds.layer, Payments.layerNone))
  )

export const databaseOf = (text: string): DatabaseUrl => {
  const parseResult = databaseUrl.read(text)
  if ("value" in parseResult) return parseResult.value
  throw new Error(`${text}: ${parseResult.must}`)
}

export const domain = (url: string, variant: Variant) =>
  Layer.unwrapEffect(Effect.map(loadAdapter(databaseOf(url)), (options) =>
    Layer.provideMerge(
      variant === "plain"
        ? makeRegistry(PlainDesk.layer(url))
        : variant === "changesAlone"
        ? makeRegistry(makeUnbatchedChanges(options.batches))
        : engineLayer(NodeIds.layer, variant === "grouped" ? options.batches : "none"),
      options.storage
    )))
