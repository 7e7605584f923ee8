import type { Page } from "../../ui/Document.tsx"
import { HiddenFields } from "../../ui/Field.tsx"
import { href } from "../../ui/href.ts"
import { Layout } from "../../ui/Layout.tsx"
import { PlaceholderImage } from "../../ui/PlaceholderImage.tsx"
import { TripInfo } from "../../ui/TripInfo.tsx"
import { Calendar, DateStrip } from "../Calendar.tsx"
import { BookingSteps, bookPageOptions, buildOfferingPath, type OfferingPageProps } from "../OfferingPageProps.tsx"
import { QuantityForm } from "../QuantityForm.tsx"
import { TimePicker } from "../TimePicker.tsx"
import { getFirstPhotoUrl, OfferingPhoto, Price, toOffer, toSlotOffer } from "./OfferingsPage.tsx"

/** Renders the picker: the quantity, a month, and the start times on one day. */
export const pickerPage = (props: OfferingPageProps): Page => {
  const { monthView, context, contactDetails } = props
  const { offering } = monthView
  const { format, org, site, text: { book } } = context
  return {
    title: `${offering.name} · ${org.name}`,
    description: offering.description === "" ? offering.name : offering.description.slice(0, 300),
    canonical: contactDetails === undefined ? site.absolute(buildOfferingPath(props)) : undefined,
    ...bookPageOptions,
    image: getFirstPhotoUrl(context, offering),
    ...(contactDetails === undefined ? { isCacheable: true as const } : {}),
    about: aboutTrip(props),
    body: (
      <Layout shown={context}>
        <BookingSteps at="time" picked={props} />
        {offering.photos.length > 0 && (
          <section
            class={offering.photos.length === 1 ? "hero one" : "hero"}
            aria-label={book.photos}
            tabIndex={offering.photos.length === 1 ? undefined : 0}
          >
            {offering.photos.map((photo, at) => (
              <OfferingPhoto
                key={photo.id}
                shown={context}
                photo={photo}
                isFirst={at === 0}
                sizes="(min-width: 44rem) 34rem, 92vw"
              />
            ))}
          </section>
        )}
        <div class="stack tight">
          <h1 dir="auto">{offering.name}</h1>
          <p class="facts">
            <span>{format.length(offering.duration_minutes)}</span>
            {offering.location !== "" && <span dir="auto">{offering.location}</span>}
            <Price shown={context} offering={offering} />
          </p>
        </div>
        <div class="split">
          <div class="card pad" id="pick">
            {contactDetails === undefined
              ? (
                <div class="stack">
                  {props.isLost && <Alert>{book.lost}</Alert>}
                  <Choices picked={props} />
                </div>
              )
              : (
                // The typed contact details stay in a form, so that they never appear in a URL.
                <form class="stack" method="post" action={href(context, buildOfferingPath(props, "/details"))}>
                  <Alert>{`${book.lost} ${book.kept}`}</Alert>
                  <HiddenFields values={{ ...contactDetails, on: monthView.date ?? undefined }} />
                  <Choices picked={props} />
                </form>
              )}
          </div>
          <aside class="card about stick">
            {offering.photos.length === 0 && (
              <div class="art">
                <PlaceholderImage seed={offering.id} />
              </div>
            )}
            {offering.description !== "" && <p class="pad words" dir="auto">{offering.description}</p>}
            <TripInfo shown={context} info={offering.info} />
          </aside>
        </div>
      </Layout>
    )
  }
}

/** Describes the trip and the day's departures for search engines. */
const aboutTrip = (
  { monthView: { nothing_free: unavailability, offering, slots }, context }: OfferingPageProps
): object => {
  const seller = { "@type": "Organization", name: context.org.name }
  const next = slots.find(({ remaining }) => remaining > 0) ?? unavailability?.next ?? null
  const offer = { "@context": "https://schema.org", ...toOffer(context, offering, next), seller }
  const { kind, location, name } = offering
  if (kind !== "class" || slots.length === 0) return offer
  return [
    offer,
    ...slots.slice(0, maxDepartures).map((slot) => ({
      "@context": "https://schema.org",
      "@type": "Event",
      name,
      startDate: slot.starts_at,
      endDate: slot.ends_at,
      organizer: seller,
      ...(location === "" ? {} : { location: { "@type": "Place", name: location, address: location } }),
      offers: toSlotOffer(context, offering, slot)
    }))
  ]
}

/** The maximum number of departures in the data for search engines, because each one makes the page larger. */
const maxDepartures = 10

const Choices = ({ picked }: { readonly picked: OfferingPageProps }) => (
  <>
    <QuantityForm picked={picked} />
    <DateStrip picked={picked} />
    <div class="pick">
      <Calendar picked={picked} />
      <TimePicker picked={picked} />
    </div>
  </>
)

const Alert = ({ children }: { readonly children: string }) => (
  <p class="note" role="alert" tabIndex={-1} data-focus="">{children}</p>
)
