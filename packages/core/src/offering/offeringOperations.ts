import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Cancellations } from "../booking/cancellation/Cancellations.ts"
import { Photos } from "../file/Photos.ts"
import * as Operation from "../operation/Operation.ts"
import type { OperationHandlers } from "../operation/Registry.ts"
import { toIdempotentRequest } from "../operation/toIdempotentRequest.ts"
import { Ids } from "../port/Ids.ts"
import { largeRowPageSize, makePaginatedHandler } from "../port/readInPages.ts"
import { CancellationPolicy } from "../pricing/CancellationPolicy.ts"
import { maxPriceCents, Pricing } from "../pricing/Pricing.ts"
import { invalid, type Refusal } from "../Refusal.ts"
import { OfferingChanges } from "../session/OfferingChanges.ts"
import * as Instant from "../time/Instant.ts"
import * as LocalDate from "../time/LocalDate.ts"
import { toCreationPosition } from "../wire/Cursor.ts"
import * as Field from "../wire/Field.ts"
import { toPatch } from "../wire/snakeCase.ts"
import { Integer, page } from "../wire/View.ts"
import * as Offering from "./Offering.ts"
import { Offerings } from "./Offerings.ts"
import { OfferingStore } from "./OfferingStore.ts"
import {
  HoursEntryView,
  hoursEntryView,
  OfferingView,
  offeringView,
  PhotoView,
  toPhotoViews,
  TripInfoView
} from "./OfferingView.ts"

/** The output fields, whose descriptions the input fields reuse. */
const viewFields = OfferingView.fields

const settings = {
  description: Field.optional(Field.sameAs(viewFields.description, Field.text({ max: 2000 }))),
  location: Field.optional(Field.sameAs(viewFields.location, Field.text({ max: 200 }))),
  duration_minutes: Field.optional(Field.sameAs(viewFields.duration_minutes, Field.integer(5, 43_200))),
  capacity: Field.optional(Field.sameAs(viewFields.capacity, Field.integer(1, 10_000))),
  max_per_booking: Field.optional(Field.sameAs(viewFields.max_per_booking, Field.integer(1, 10_000))),
  price_cents: Field.optional(Field.sameAs(viewFields.price_cents, Field.integer(0, maxPriceCents))),
  slot_interval_minutes: Field.optional(
    Field.sameAs(viewFields.slot_interval_minutes, Field.nullable(Field.integer(5, 1440)))
  ),
  buffer_minutes: Field.optional(Field.sameAs(viewFields.buffer_minutes, Field.integer(0, 1440))),
  min_notice_minutes: Field.optional(Field.sameAs(viewFields.min_notice_minutes, Field.integer(0, 43_200))),
  max_advance_days: Field.optional(Field.sameAs(viewFields.max_advance_days, Field.integer(1, 730))),
  max_periods: Field.optional(Field.sameAs(viewFields.max_periods, Field.integer(1, 60))),
  active: Field.optional(Field.sameAs(viewFields.active, Field.boolean)),
  metadata: Field.optional(Field.sameAs(viewFields.metadata, Field.metadata)),
  lat: Field.optional(Field.sameAs(viewFields.lat, Field.nullable(Field.number(-90, 90)))),
  lon: Field.optional(Field.sameAs(viewFields.lon, Field.nullable(Field.number(-180, 180)))),
  pricing: Field.optional(Field.sameAs(viewFields.pricing, Schema.NullOr(Pricing))),
  cancellation_policy: Field.optional(Field.sameAs(viewFields.cancellation_policy, Schema.NullOr(CancellationPolicy))),
  gauge_site: Field.optional(Field.sameAs(viewFields.gauge_site, Field.nullable(Field.text({ min: 1, max: 40 })))),
  info: Field.optional(Field.sameAs(
    viewFields.info,
    Field.object({
      bring: Field.sameAs(TripInfoView.fields.bring, Field.text({ max: 1000 })),
      requirements: Field.sameAs(TripInfoView.fields.requirements, Field.text({ max: 1000 })),
      min_age: Field.sameAs(TripInfoView.fields.min_age, Field.nullable(Field.integer(0, 120))),
      waiver_url: Field.sameAs(TripInfoView.fields.waiver_url, Field.clearable(Field.httpsUrl))
    })
  ))
}

const name = Field.sameAs(viewFields.name, Field.text({ min: 1, max: 120 }))
const byId = { id: Field.withDescription("the offering", Field.uuid) }

export const offeringsList = Operation.make("offerings.list", {
  route: ["GET", "/offerings"],
  summary: "List offerings, including paused offerings.",
  input: Schema.Struct({
    kind: Field.describedOptional("only offerings of this kind", Field.oneOf(...Offering.offeringKinds)),
    ...Field.paging
  }),
  output: page(OfferingView),
  tool: {
    title: "List offerings",
    toolset: "bookings",
    description: "Lists offerings with IDs, lengths, and prices in cents, including paused offerings (active=false)."
  }
})

export const offeringsCreate = Operation.make("offerings.create", {
  route: ["POST", "/offerings"],
  summary: "Create an offering. Only name and kind are required.",
  description:
    "Appointments and rentals are open daily 9:00 to 17:00 until you set hours. For a class, create sessions next. A " +
    "retry with the same idempotency_key returns the same offering.",
  input: Schema.Struct({
    name,
    kind: Field.sameAs(viewFields.kind, Field.oneOf(...Offering.offeringKinds)),
    ...settings,
    idempotency_key: Field.idempotencyKey
  }),
  output: OfferingView,
  refusals: ["idempotency_conflict"],
  status: 201,
  hints: { idempotencyKey: "idempotency_key" },
  maxBodyBytes: 128 * 1024,
  tool: {
    title: "Create an offering",
    toolset: "catalog",
    description: "Creates an offering. Only name and kind are required. For a class, call sessions_create next. " +
      "Other kinds are open daily 9:00-17:00 until you call offerings_set_hours."
  }
})

export const offeringsGet = Operation.make("offerings.get", {
  route: ["GET", "/offerings/:id"],
  summary: "Get an offering.",
  input: Schema.Struct(byId),
  output: OfferingView,
  refusals: ["not_found"],
  light: true,
  tool: {
    title: "Get an offering",
    toolset: "bookings",
    description: "Returns an offering with all settings."
  }
})

export const offeringsUpdate = Operation.make("offerings.update", {
  route: ["PATCH", "/offerings/:id"],
  summary: "Change an offering. To pause it, set active to false.",
  description: "Existing bookings keep their time, length, and price.",
  input: Schema.Struct({ ...byId, name: Field.optional(name), ...settings }),
  output: OfferingView,
  refusals: ["not_found"],
  hints: { idempotent: true },
  maxBodyBytes: 128 * 1024,
  tool: {
    title: "Update an offering",
    toolset: "catalog",
    description: "Updates an offering. To pause booking, set active to false. " +
      "Existing bookings do not change."
  }
})

export const offeringsDelete = Operation.make("offerings.delete", {
  route: ["DELETE", "/offerings/:id"],
  summary: "Delete an offering. With cancel_bookings=true, its upcoming bookings and holds are canceled first.",
  description: "Guests get an email, paid bookings are refunded in full, and past bookings stay on record. Cannot be " +
    "undone. If there are many bookings, the response can report some as pending. Their cancellation " +
    "continues in the background, and the offering cannot be booked. A retry of the same request also continues the " +
    "cancellation.",
  input: Schema.Struct({
    ...byId,
    cancel_bookings: Field.describedOptional(
      "whether to cancel the offering's upcoming bookings and holds",
      Field.boolean,
      false
    )
  }),
  output: Schema.Struct({
    cancelled: Field.withDescription("the number of canceled bookings", Integer, 3),
    refunded: Field.withDescription(
      "the number of canceled bookings whose online payments are refunded",
      Integer,
      1
    ),
    pending: Field.withDescription(
      "the number of bookings whose cancellation continues in the background",
      Integer,
      0
    )
  }),
  refusals: ["not_found", "has_bookings"],
  hints: { destructive: true, openWorld: true },
  tool: {
    title: "Delete an offering",
    toolset: "catalog",
    description: "Deletes an offering. If it has upcoming bookings, the call fails and returns their number. " +
      "To cancel and refund them and email the guests, set cancel_bookings=true. Ask the outfitter first. " +
      "Cannot be undone."
  }
})

const HoursEntryInput = Field.object({
  weekday: Field.describedOptional("0 for Sunday to 6 for Saturday, required unless date is set", Field.integer(0, 6)),
  start_time: Field.sameAs(HoursEntryView.fields.start_time, Field.localTime),
  end_time: Field.sameAs(HoursEntryView.fields.end_time, Field.localTime),
  valid_from: Field.describedOptional("the first date on which the hours apply", Field.localDate),
  valid_until: Field.describedOptional("the last date on which the hours apply", Field.localDate),
  date: Field.describedOptional("the single date on which the hours replace the weekly hours", Field.localDate)
})

/** Converts hours entries. In an entry for a single date, the weekday is derived from the date. */
const toHoursEntries = (
  entries: ReadonlyArray<typeof HoursEntryInput.Type>
): Effect.Effect<ReadonlyArray<Offering.HoursEntry>, Refusal<"invalid_request">> =>
  Effect.forEach(entries, ({ start_time, end_time, weekday, ...days }, at) => {
    const entryWeekday = weekday ?? (days.date === undefined ? undefined : LocalDate.weekday(days.date))
    return entryWeekday === undefined
      ? invalid(`hours.${at}.weekday: is required unless date is set`)
      : Effect.succeed({ weekday: entryWeekday, startTime: start_time, endTime: end_time, ...toPatch(days) })
  })

export const offeringsGetHours = Operation.make("offerings.get_hours", {
  route: ["GET", "/offerings/:id/hours"],
  summary: "Get the opening hours of an appointment or rental in the org's time zone.",
  input: Schema.Struct(byId),
  output: Schema.Struct({ data: Field.withDescription("all opening hours", Schema.Array(HoursEntryView)) }),
  refusals: ["not_found"],
  light: true,
  tool: {
    title: "Get opening hours",
    toolset: "bookings",
    description:
      "Returns the opening hours of an appointment or rental in the org's time zone. weekday 0 is Sunday. Entries " +
      "with valid_from or valid_until are seasonal. Entries with date replace that date's weekly hours."
  }
})

export const offeringsSetHours = Operation.make("offerings.set_hours", {
  route: ["PUT", "/offerings/:id/hours"],
  summary: "Replace all opening hours of an appointment or rental.",
  description:
    "weekday 0 is Sunday. Split hours past midnight into two entries, the first ending at 24:00. valid_from and " +
    "valid_until limit an entry to a season. Entries with date instead of weekday replace the weekly hours of that " +
    "date.",
  input: Schema.Struct({
    ...byId,
    hours: Field.withDescription(
      "all opening hours. Omitted entries are removed",
      Field.list(HoursEntryInput, 50)
    )
  }),
  output: Schema.Struct({ data: Field.withDescription("all opening hours", Schema.Array(HoursEntryView)) }),
  refusals: ["not_found", "wrong_kind"],
  hints: { idempotent: true },
  tool: {
    title: "Replace opening hours",
    toolset: "catalog",
    description: "Replaces all opening hours of an appointment or rental. Read them first, and include the hours " +
      "to keep. valid_from and valid_until define a season, and date defines a single day. Existing " +
      "bookings are unaffected."
  }
})

/** A photo's alt text, required because photos are public. */
export const photoAltField = Field.sameAs(PhotoView.fields.alt, Field.text({ min: 1, max: 200 }))

export const offeringsSetPhotos = Operation.make("offerings.set_photos", {
  route: ["PUT", "/offerings/:id/photos"],
  summary: "Set the order and alt text of an offering's photos. Omitted photos are deleted.",
  input: Schema.Struct({
    ...byId,
    photos: Field.withDescription(
      "the photos to keep, in order. Omitted photos are deleted",
      Field.list(
        Field.object({ id: Field.sameAs(PhotoView.fields.id, Field.uuid), alt: photoAltField }),
        Offering.maxPhotos
      )
    )
  }),
  output: Schema.Struct({ data: viewFields.photos }),
  refusals: ["not_found"],
  hints: { idempotent: true },
  tool: {
    title: "Change photos",
    toolset: "catalog",
    description: "Sets the order and alt text of photos. Omitted photos are deleted."
  }
})

export const offeringOperations = [
  offeringsList,
  offeringsCreate,
  offeringsGet,
  offeringsUpdate,
  offeringsDelete,
  offeringsGetHours,
  offeringsSetHours,
  offeringsSetPhotos
] as const

/**
 * Returns the request fields that differ from the defaults, so that an explicit default does not change the idempotency
 * fingerprint.
 */
const withoutDefaults = (input: Parameters<Offerings["Type"]["create"]>[0]): object => {
  const defaults = Offering.make({ orgId: input.orgId, kind: input.kind, name: input.name, ...placeholders })
  return Object.fromEntries(
    Object.entries(input).filter(([name, value]) =>
      JSON.stringify(value) !== JSON.stringify(defaults[name as keyof Offering.Offering])
    )
  )
}

const placeholders = { id: "", createdAt: Instant.min }

const hoursView = ({ hours }: Offering.Offering) => ({ data: hours.map(hoursEntryView) })

const listPage = makePaginatedHandler("offerings", largeRowPageSize, toCreationPosition, offeringView)

export const offeringHandlers = Effect.gen(function*() {
  const cancellations = yield* Cancellations
  const changes = yield* OfferingChanges
  const ids = yield* Ids
  const offerings = yield* Offerings
  const photos = yield* Photos
  const store = yield* OfferingStore
  return {
    "offerings.list": ({ kind, ...paging }, { orgId }) =>
      listPage(paging, (after, limit) => store.list({ orgId, kind, after, limit })),
    "offerings.create": ({ idempotency_key: key, kind, name, ...rest }, actor) => {
      const input = { orgId: actor.orgId, kind, name, ...toPatch(rest) }
      const request = toIdempotentRequest(ids, actor, offeringsCreate.name, key, {
        kind,
        name,
        ...withoutDefaults(input)
      })
      return Effect.map(offerings.create(input, request), offeringView)
    },
    "offerings.get": ({ id }, { orgId }) => Effect.map(offerings.get({ orgId, id }), offeringView),
    "offerings.update": ({ id, ...fields }, { orgId }) =>
      Effect.map(changes.update({ orgId, id }, toPatch(fields)), offeringView),
    "offerings.delete": ({ cancel_bookings = false, id }, { orgId }) =>
      cancellations.deleteOffering({ orgId, id }, cancel_bookings),
    "offerings.get_hours": ({ id }, { orgId }) => Effect.map(offerings.get({ orgId, id }), hoursView),
    "offerings.set_hours": ({ hours, id }, { orgId }) =>
      Effect.map(
        Effect.flatMap(toHoursEntries(hours), (entries) => offerings.setHours({ orgId, id }, entries)),
        hoursView
      ),
    "offerings.set_photos": ({ id, photos: entries }, { orgId }) =>
      Effect.map(photos.set({ orgId, id }, entries), (offering) => ({ data: toPhotoViews(offering) }))
  } satisfies OperationHandlers<typeof offeringOperations>
})
